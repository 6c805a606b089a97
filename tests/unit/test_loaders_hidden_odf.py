"""Text of OpenDocument files that a reader does not see is left out, and noted; what only looks like it stays."""

from __future__ import annotations

import pytest

from tests.hidden import SEEN, UNSEEN, read, text_of
from tests.unit.test_loaders_odf import odf

_STYLES = """
<style:style style:family="text" style:name="hidden"><style:text-properties text:display="none"/></style:style>
<style:style style:family="text" style:name="heir" style:parent-style-name="hidden"/>
<style:style style:family="text" style:name="shown" style:parent-style-name="hidden">
  <style:text-properties text:display="true"/></style:style>
<style:style style:family="text" style:name="dust"><style:text-properties fo:font-size="1pt"/></style:style>
<style:style style:family="text" style:name="thin"><style:text-properties fo:font-size="0.00001pt"/></style:style>
<style:style style:family="text" style:name="white"><style:text-properties fo:color="#fefefe"/></style:style>
<style:style style:family="text" style:name="marked">
  <style:text-properties fo:color="#ffffff" fo:background-color="#000080"/></style:style>
<style:style style:family="paragraph" style:name="P1"><style:text-properties text:display="none"/></style:style>
<style:style style:family="paragraph" style:name="P2"><style:text-properties fo:color="#ffffff"/></style:style>
<style:style style:family="paragraph" style:name="P3">
  <style:paragraph-properties fo:background-color="#333333"/></style:style>
<style:style style:family="table-cell" style:name="dark">
  <style:table-cell-properties fo:background-color="#203040"/></style:style>
<style:style style:family="table-cell" style:name="pale">
  <style:table-cell-properties fo:background-color="#ffffff"/></style:style>
"""
_PAGE = """<style:page-layout style:name="pm1"><style:page-layout-properties fo:background-color="#000000"/>
</style:page-layout>"""
_BROKEN = """<style:style style:family="text" style:name="broken"><style:text-properties fo:font-size=".pt"/>
</style:style>"""

_NOTE = f"<text:p>{UNSEEN}</text:p>"


def _span(style: str, text: str = UNSEEN) -> str:
    return f'<text:span text:style-name="{style}">{text}</text:span>'


def _cells(style: str) -> str:
    cell = f'<table:table-cell table:style-name="{style}"><text:p>{_span("white")}</text:p></table:table-cell>'
    return f"<table:table><table:table-row>{cell}<table:table-cell/></table:table-row></table:table>"


@pytest.mark.parametrize(
    "body",
    [
        f"<text:p>{_span('hidden')}</text:p>",
        f"<text:p>{_span('heir')}</text:p>",
        f"<text:p>{_span('dust')}</text:p>",
        f"<text:p>{_span('thin')}</text:p>",
        f"<text:p>{_span('white')}</text:p>",
        f'<text:p text:style-name="P1">{UNSEEN}</text:p>',
        f'<text:p text:style-name="P2">{UNSEEN}</text:p>',
        f'<text:p text:style-name="P1"><text:note><text:note-body>{_NOTE}</text:note-body></text:note>x</text:p>',
        f'<text:p><text:hidden-text text:is-hidden="true">{UNSEEN}</text:hidden-text></text:p>',
        f'<text:p><text:hidden-paragraph text:is-hidden="true"/>{UNSEEN}</text:p>',
        _cells("pale"),
    ],
)
def test_what_no_reader_of_an_odt_sees_is_left_out(body: str) -> None:
    document = read(odf("text", f"<text:p>{SEEN}</text:p>{body}", styles=_STYLES), "a.odt")
    assert text_of(document) == SEEN
    assert tuple(document.hidden_pages) == (0,)


@pytest.mark.parametrize(
    ("body", "styles"),
    [
        (f"<text:p>{_span('shown')}</text:p>", ""),
        (f"<text:p>{_span('marked')}</text:p>", ""),
        (f"<text:p>{_span('broken')}</text:p>", _BROKEN),
        (f'<text:p text:style-name="P3">{_span("white")}</text:p>', ""),
        (f"<text:p>{_span('white')}</text:p>", _PAGE),
        (f"<draw:frame><draw:text-box><text:p>{_span('white')}</text:p></draw:text-box></draw:frame>", ""),
        (f'<text:p><text:hidden-text text:is-hidden="false">{UNSEEN}</text:hidden-text></text:p>', ""),
        (_cells("dark"), ""),
    ],
)
def test_what_only_looks_unseen_stays(body: str, styles: str) -> None:
    document = read(odf("text", f"<text:p>{SEEN}</text:p>{body}", styles=_STYLES + styles), "a.odt")
    assert UNSEEN in text_of(document)
    assert not document.hidden_pages


def _box(text: str, attributes: str = "") -> str:
    return f"<draw:frame {attributes}><draw:text-box><text:p>{text}</text:p></draw:text-box></draw:frame>"


_OFF = 'draw:display="none"'
_HIDDEN_CELL = f"<table:table-cell><text:p>{_span('hidden')}</text:p></table:table-cell>"


@pytest.mark.parametrize(
    "body",
    [
        f"<draw:custom-shape {_OFF}><text:p>{UNSEEN}</text:p></draw:custom-shape>",
        f"<draw:custom-shape><text:p>{_span('hidden')}</text:p></draw:custom-shape>",
        f"<draw:frame><table:table><table:table-row>{_HIDDEN_CELL * 2}</table:table-row></table:table></draw:frame>",
        _box(UNSEEN, f'presentation:class="title" {_OFF}'),
        _box(_span("hidden"), 'presentation:class="title"'),
        f"<presentation:notes>{_box(UNSEEN, _OFF)}</presentation:notes>",
        f"<office:annotation><text:p>{UNSEEN}</text:p></office:annotation>",
        f"<presentation:notes><draw:g {_OFF}>{_box(UNSEEN)}</draw:g></presentation:notes>",
    ],
)
def test_what_no_reader_of_a_slide_sees_is_left_out(body: str) -> None:
    shown = f"<draw:custom-shape><text:p>{_span('hidden')}{_span('white', SEEN)}</text:p></draw:custom-shape>"
    document = read(odf("presentation", f"<draw:page>{body}{shown}</draw:page>", styles=_STYLES), "a.odp")
    assert text_of(document) == SEEN
    assert tuple(document.hidden_pages) == (0,)
