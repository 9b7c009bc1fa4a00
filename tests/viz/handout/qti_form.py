"""What the schema of QTI 2.1 and that of its manifest ask of the elements that we write.

The schema itself may be passed on only by those who registered with 1EdTech, so it is not here.
Its rules for our elements are: which attributes must and may be there, with which values, and
which elements an element holds, in which order. Any other element or attribute is refused.
"""

import re
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from viz.handout.qti import CONTENT, QTI

XML = "{http://www.w3.org/XML/1998/namespace}"
MATHML = "http://www.w3.org/1998/Math/MathML"
INSTANCE = "{http://www.w3.org/2001/XMLSchema-instance}schemaLocation"

NAME = r"[^\W\d][\w.-]*"  # xs:NCName
TRUE_OR_FALSE = "true|false"
CARDINALITY = "single|multiple|ordered|record"
BASE_TYPE = (
    "boolean|directedPair|duration|file|float|identifier|integer|intOrIdentifier|pair|point|"
    "string|uri"
)
ANY = ".*"
INLINE = "em|strong|code|br|img|a|span|sub|sup|math"
FLOW = f"{INLINE}|p|ul|ol|pre|blockquote|div|hr|h[1-6]"
BLOCK = "p|ul|ol|pre|blockquote|div|hr|h[1-6]|math"
RULE = "(?:responseCondition|setOutcomeValue)"
EXPRESSION = "(?:match|variable|correct|baseValue)"


@dataclass(frozen=True)
class Form:
    """The form of an element: its children in order as a pattern of names, and its attributes."""

    holds: str = ""
    must: dict[str, str] = field(default_factory=dict)
    may: dict[str, str] = field(default_factory=dict)
    text: bool = False


def _many(names: str) -> str:
    return f"(?:(?:{names}) )*"


_INLINE = Form(_many(INLINE), text=True)
_LIST = Form(_many("li"))
ITEM_FORMS = {
    "assessmentItem": Form(
        "(?:responseDeclaration )*(?:outcomeDeclaration )*(?:itemBody )?(?:responseProcessing )?"
        "(?:modalFeedback )*",
        {
            "identifier": NAME,
            "title": ".+",
            "adaptive": TRUE_OR_FALSE,
            "timeDependent": TRUE_OR_FALSE,
        },
        {f"{XML}lang": r"[a-z]{2}(-\w+)?", INSTANCE: ANY},
    ),
    "responseDeclaration": Form(
        "(?:defaultValue )?(?:correctResponse )?",
        {"identifier": NAME, "cardinality": CARDINALITY},
        {"baseType": BASE_TYPE},
    ),
    "outcomeDeclaration": Form(
        "(?:defaultValue )?",
        {"identifier": NAME, "cardinality": CARDINALITY},
        {"baseType": BASE_TYPE},
    ),
    "correctResponse": Form("(?:value )+"),
    "defaultValue": Form("(?:value )+"),
    "value": Form(text=True),
    "itemBody": Form(_many(f"{BLOCK}|choiceInteraction")),
    "choiceInteraction": Form(
        "(?:prompt )?(?:simpleChoice )+",
        {"responseIdentifier": NAME, "shuffle": TRUE_OR_FALSE, "maxChoices": r"\d+"},
    ),
    "prompt": _INLINE,
    "simpleChoice": Form(_many(FLOW), {"identifier": NAME}, text=True),
    "responseProcessing": Form(f"(?:{RULE} )*"),
    "responseCondition": Form("responseIf (?:responseElseIf )*(?:responseElse )?"),
    "responseIf": Form(f"{EXPRESSION} (?:{RULE} )*"),
    "setOutcomeValue": Form(f"{EXPRESSION} ", {"identifier": NAME}),
    "match": Form(f"{EXPRESSION} {EXPRESSION} "),
    "variable": Form(must={"identifier": NAME}),
    "correct": Form(must={"identifier": NAME}),
    "baseValue": Form(must={"baseType": BASE_TYPE}, text=True),
    "modalFeedback": Form(
        _many(FLOW),
        {"outcomeIdentifier": NAME, "identifier": NAME, "showHide": "show|hide"},
        {"title": ANY},
        text=True,
    ),
    **dict.fromkeys(("p", "em", "strong", "code", "span", "sub", "sup", "pre"), _INLINE),
    **dict.fromkeys((f"h{level}" for level in range(1, 7)), _INLINE),
    "a": Form(_many(INLINE), {"href": ".+"}, text=True),
    "div": Form(_many(FLOW), text=True),
    "li": Form(_many(FLOW), text=True),
    "ul": _LIST,
    "ol": _LIST,
    "blockquote": Form(_many(BLOCK)),
    "br": Form(),
    "hr": Form(),
    "img": Form(must={"src": ".+", "alt": ANY}),
}
TEST_FORMS = {
    "assessmentTest": Form("(?:testPart )+", {"identifier": NAME, "title": ".+"}, {INSTANCE: ANY}),
    "testPart": Form(
        "(?:assessmentSection )+",
        {
            "identifier": NAME,
            "navigationMode": "linear|nonlinear",
            "submissionMode": "individual|simultaneous",
        },
    ),
    "assessmentSection": Form(
        "(?:assessmentItemRef )*",
        {"identifier": NAME, "title": ".+", "visible": TRUE_OR_FALSE},
    ),
    "assessmentItemRef": Form(must={"identifier": NAME, "href": ".+"}),
}
MANIFEST_FORMS = {
    "manifest": Form("(?:metadata )?organizations resources ", {"identifier": NAME}),
    "metadata": Form("schema schemaversion "),
    "schema": Form(text=True),
    "schemaversion": Form(text=True),
    "organizations": Form(),
    "resources": Form("(?:resource )*"),
    "resource": Form(
        "(?:file )*(?:dependency )*",
        {"identifier": NAME, "type": "imsqti_(item|test)_xmlv2p1"},
        {"href": ".+"},
    ),
    "file": Form(must={"href": ".+"}),
    "dependency": Form(must={"identifierref": NAME}),
}
FORMS = {QTI: ITEM_FORMS | TEST_FORMS, CONTENT: MANIFEST_FORMS}


def faults(root: Element) -> list[str]:
    """Return all that is against the form in an item, a test or a manifest."""
    space = root.tag[1:].split("}")[0]
    return _faults(root, space, FORMS[space])


def _faults(element: Element, space: str, forms: dict[str, Form]) -> list[str]:
    if element.tag == f"{{{MATHML}}}math":
        return [
            f"{one.tag} in a formula" for one in element.iter() if f"{{{MATHML}}}" not in one.tag
        ]
    name = element.tag.removeprefix(f"{{{space}}}")
    if (form := forms.get(name)) is None:
        return [f"unknown element {element.tag}"]
    wrong = [f"{name} has no {must}" for must in form.must if must not in element.attrib]
    for attribute, value in element.attrib.items():
        pattern = (form.must | form.may).get(attribute)
        if pattern is None or not re.fullmatch(pattern, value, re.DOTALL):
            wrong.append(f"{name} {attribute}={value!r}")
    children = "".join(f"{child.tag.split('}')[1]} " for child in element)
    if not re.fullmatch(form.holds, children):
        wrong.append(f"{name} holds {children or 'nothing'}")
    between = (element.text or "") + "".join(child.tail or "" for child in element)
    if not form.text and between.strip():
        wrong.append(f"{name} holds the text {between.strip()!r}")
    return wrong + [fault for child in element for fault in _faults(child, space, forms)]
