"""Questions as Moodle XML, which Moodle imports into its question bank, pictures included."""

from base64 import b64encode
from html import escape

from viz.handout.markup import block, inline, plain
from viz.handout.sheet import Asked, Sheet, SheetScene
from viz.language.text import _
from viz.notebook.paper.picture import Picture, svg


def moodle_xml(sheet: Sheet) -> str:
    """Return all questions of a sheet, in a category that is named after the sheet."""
    questions = "".join(_question(sheet, *question) for question in sheet.questions)
    category = f"$course$/top/Headlight/{sheet.title.replace('/', '//')}"
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<quiz>\n'
        f'<question type="category"><category><text>{escape(category)}</text></category>'
        f"</question>\n{questions}</quiz>\n"
    )


def _question(sheet: Sheet, scene: SheetScene, asked: Asked) -> str:
    file, image = "", ""
    if scene.picture:
        name = f"{sheet.name}-{scene.number}.svg"
        data = b64encode(svg(scene.picture).encode()).decode()
        file = f'<file name="{name}" path="/" encoding="base64">{data}</file>'
        image = f'<p><img src="@@PLUGINFILE@@/{name}" alt="{escape(said(scene.picture))}" /></p>'
    shown = f"{block(scene.text)}{image}<p><strong>{inline(asked.text)}</strong></p>"
    answers = "".join(
        f'<answer fraction="{100 if index == asked.right else 0}" format="html">'
        f"<text>{_data(inline(choice))}</text></answer>\n"
        for index, choice in enumerate(asked.choices)
    )
    name = f"{sheet.title}: {plain(scene.heading)}"
    return (
        f'<question type="multichoice">\n<name><text>{escape(name)}</text></name>\n'
        f'<questiontext format="html"><text>{_data(shown)}</text>{file}</questiontext>\n'
        '<generalfeedback format="html">'
        f"<text>{_data(block(asked.then))}</text></generalfeedback>\n"
        "<defaultgrade>1</defaultgrade>\n<penalty>1</penalty>\n<single>true</single>\n"
        "<shuffleanswers>false</shuffleanswers>\n<answernumbering>abc</answernumbering>\n"
        f"{answers}</question>\n"
    )


def said(picture: Picture) -> str:
    """Describe a picture for those who cannot see it."""
    return _("Picture of the scene “{title}”").format(title=picture.title)


def _data(html: str) -> str:
    """Return HTML as CDATA, so that XML takes it as it is."""
    return f"<![CDATA[{html.replace(']]>', ']]]]><![CDATA[>')}]]>"
