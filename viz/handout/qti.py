"""Questions as a QTI 2.1 package, which has items, their pictures, a test, and the manifest."""

import io
import re
import zipfile
from html import escape

from viz.handout.markup import block, inline, plain, xml
from viz.handout.moodle import said
from viz.handout.sheet import Asked, Sheet, SheetScene
from viz.handout.worksheet import LETTERS
from viz.language.text import language
from viz.notebook.paper.picture import svg

QTI = "http://www.imsglobal.org/xsd/imsqti_v2p1"
CONTENT = "http://www.imsglobal.org/xsd/imscp_v1p1"
_SCHEMA = "http://www.w3.org/2001/XMLSchema-instance"
_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
_SPACES = (
    f'xmlns="{QTI}" xmlns:xsi="{_SCHEMA}" xsi:schemaLocation="{QTI} '
    'http://www.imsglobal.org/xsd/qti/qtiv2p1/imsqti_v2p1.xsd"'
)


def qti_package(sheet: Sheet) -> bytes:
    """Return all questions of a sheet as the bytes of a ZIP file."""
    name = re.sub(r"[^\w.-]", "_", f"headlight-{sheet.name}")
    files, resources, parts = dict[str, str](), "", ""
    for scene, asked in sheet.questions:
        item = f"{name}-{scene.number}"
        held = [f"items/{item}.xml"]
        if scene.picture:
            held.append(f"images/{item}.svg")
            files[held[1]] = svg(scene.picture)
        files[held[0]] = xml(_item(item, scene, asked))
        listed = "".join(f'<file href="{file}"/>' for file in held)
        resources += (
            f'<resource identifier="{item}" type="imsqti_item_xmlv2p1" href="{held[0]}">'
            f"{listed}</resource>\n"
        )
        parts += f'<assessmentItemRef identifier="{item}" href="{held[0]}"/>\n'
    files[f"{name}.xml"] = _test(name, sheet.title, parts)
    needs = "".join(
        f'<dependency identifierref="{name}-{scene.number}"/>' for scene, _ in sheet.questions
    )
    resources += (
        f'<resource identifier="{name}" type="imsqti_test_xmlv2p1" href="{name}.xml">'
        f'<file href="{name}.xml"/>{needs}</resource>\n'
    )
    files["imsmanifest.xml"] = _manifest(name, resources)
    return _zipped(files)


def _item(name: str, scene: SheetScene, asked: Asked) -> str:
    assert asked.right is not None
    title = escape(plain(scene.heading), quote=True)
    image = ""
    if scene.picture:
        alt = escape(said(scene.picture))
        image = f'<p><img src="../images/{name}.svg" alt="{alt}"/></p>\n'
    choices = "".join(
        f'<simpleChoice identifier="{letter}">{inline(choice)}</simpleChoice>\n'
        for letter, choice in zip(LETTERS, asked.choices, strict=False)
    )
    feedback, told = "", ""
    if asked.then:
        told = _set("FEEDBACK", "identifier", "said")
        feedback = (
            '<modalFeedback outcomeIdentifier="FEEDBACK" identifier="said" showHide="show">'
            f"{block(asked.then)}</modalFeedback>\n"
        )
    return (
        f'{_HEAD}<assessmentItem {_SPACES} identifier="{name}" title="{title}" '
        f'xml:lang="{language()}" adaptive="false" timeDependent="false">\n'
        '<responseDeclaration identifier="RESPONSE" cardinality="single" baseType="identifier">'
        f"<correctResponse><value>{LETTERS[asked.right]}</value></correctResponse>"
        "</responseDeclaration>\n"
        '<outcomeDeclaration identifier="SCORE" cardinality="single" baseType="float">'
        "<defaultValue><value>0</value></defaultValue></outcomeDeclaration>\n"
        '<outcomeDeclaration identifier="FEEDBACK" cardinality="single" baseType="identifier"/>\n'
        f"<itemBody>\n<div>{block(scene.text)}</div>\n{image}"
        '<choiceInteraction responseIdentifier="RESPONSE" shuffle="false" maxChoices="1">\n'
        f"<prompt>{inline(asked.text)}</prompt>\n{choices}</choiceInteraction>\n</itemBody>\n"
        "<responseProcessing>\n<responseCondition><responseIf>"
        '<match><variable identifier="RESPONSE"/><correct identifier="RESPONSE"/></match>'
        f"{_set('SCORE', 'float', '1')}</responseIf></responseCondition>\n{told}"
        f"</responseProcessing>\n{feedback}</assessmentItem>\n"
    )


def _set(name: str, kind: str, value: str) -> str:
    return (
        f'<setOutcomeValue identifier="{name}"><baseValue baseType="{kind}">{value}</baseValue>'
        "</setOutcomeValue>\n"
    )


def _test(name: str, title: str, parts: str) -> str:
    return (
        f'{_HEAD}<assessmentTest {_SPACES} identifier="{name}" title="{escape(title)}">\n'
        '<testPart identifier="part" navigationMode="nonlinear" submissionMode="individual">\n'
        f'<assessmentSection identifier="section" title="{escape(title)}" visible="true">\n{parts}'
        "</assessmentSection>\n</testPart>\n</assessmentTest>\n"
    )


def _manifest(name: str, resources: str) -> str:
    return (
        f'{_HEAD}<manifest xmlns="{CONTENT}" identifier="{name}-manifest">\n'
        "<metadata><schema>QTIv2.1 Package</schema><schemaversion>1.0.0</schemaversion>"
        "</metadata>\n"
        f"<organizations/>\n<resources>\n{resources}</resources>\n</manifest>\n"
    )


def _zipped(files: dict[str, str]) -> bytes:
    """Zip files without their times, so that equal questions give equal bytes; manifest first."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, text in sorted(files.items(), key=lambda file: file[0] != "imsmanifest.xml"):
            archive.writestr(zipfile.ZipInfo(path), text, zipfile.ZIP_DEFLATED)
    return written.getvalue()
