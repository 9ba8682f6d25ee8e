"""What mailers, archives, terminals and loggers put around lines."""

from __future__ import annotations

import base64
import quopri

import pytest

from app.ingest.outputs.unwrap import unwrap

BODY = "Grüße,\n\nbefore:\n  read: IOPS=100, BW=400KiB/s (410kB/s)(4000KiB/10000msec)\nafter = 1\n"


def texts(text):
    return [line.text for line in unwrap([(1, text)]).lines]


def mail(encoding, body, kind="text/plain; charset=utf-8"):
    return f"From: A <a@example.org>\nSubject: s\nContent-Type: {kind}\nContent-Transfer-Encoding: {encoding}\n\n{body}"


def test_quotation_marks_come_off_and_are_counted():
    lines = unwrap([(1, "> > deep\n> once\nnone\n >=64=0.1%\n>=64=0.1%\n")]).lines
    assert [(line.depth, line.text) for line in lines[:5]] == [
        (2, "deep"),
        (1, "once"),
        (0, "none"),
        (0, " >=64=0.1%"),
        (0, ">=64=0.1%"),
    ]


@pytest.mark.parametrize(
    "encoded",
    [
        mail("8bit", BODY),
        mail("quoted-printable", quopri.encodestring(BODY.encode()).decode()),
        mail("base64", base64.encodebytes(BODY.encode()).decode()),
    ],
)
def test_every_transfer_encoding_gives_the_same_lines(encoded):
    assert texts(encoded)[:5] == [line.rstrip() for line in BODY.split("\n")[:5]]


def test_a_decoded_line_keeps_the_number_of_the_line_it_begins_on():
    lines = unwrap([(1, mail("quoted-printable", "one=\n more\ntwo =3D 2\n"))]).lines
    assert [(line.number, line.text) for line in lines[:2]] == [(6, "one more"), (8, "two = 2")]


def test_quoted_printable_without_its_headers_is_decoded():
    assert texts("a=20\nb =3D=\n=3D\nc =3D 1\n")[:3] == ["a", "b ==", "c = 1"]


@pytest.mark.parametrize(
    "text", ["read : io=507920KB, bw=8435KB/s, iops=2108\na=20\nb=30\nc=40\n", "rw=read\nsize=10\nx=1\n"]
)
def test_options_and_figures_are_not_taken_for_escapes(text):
    assert "\n".join(texts(text)) == text


def test_flowed_lines_are_joined_inside_one_depth():
    flowed = mail("8bit", "one \ntwo\n> three \n> four\n\n-- \nme\n", "text/plain; format=flowed")
    assert texts(flowed)[:3] == ["one two", "three four", ""]


def test_of_two_alternatives_the_plain_one_is_read():
    text = (
        "From: a\nSubject: b\nContent-Type: multipart/alternative; boundary=xx\n\n--xx\nContent-Type: text/plain\n\nplain\n"
        "--xx\nContent-Type: text/html\n\n<p>html</p>\n--xx--\n"
    )
    assert [line for line in texts(text) if line] == ["plain"]


def test_attachments_that_are_text_are_read_and_others_are_not():
    binary = base64.b64encode(bytes(range(256))).decode()
    text = (
        "From: a\nSubject: b\nContent-Type: multipart/mixed; boundary=xx\n\n--xx\nContent-Type: text/plain\n\nbody\n"
        f"--xx\nContent-Type: application/octet-stream\nContent-Transfer-Encoding: base64\n\n{base64.b64encode(b'log').decode()}\n"
        f"--xx\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n\n{binary}\n--xx--\n"
    )
    assert [line for line in texts(text) if line] == ["body", "log"]


def test_an_unknown_charset_is_read_as_utf_8():
    assert texts(mail("quoted-printable", "=C3=A4\n", "text/plain; charset=y"))[0] == "ä"


def test_every_mail_of_an_mbox_loses_its_headers():
    one = "From a@b Mon Jan  1 00:00:00 2024\nFrom: a\nSubject: s\n\nbody {}\n\n"
    assert [line for line in texts(one.format(1) + one.format(2)) if line] == ["body 1", "body 2"]


def test_tags_and_entities_of_pages_come_off():
    assert texts("<html><body><pre>a &lt; b &amp; c<br>d</pre></body></html>")[:2] == ["a < b & c", "d"]


def test_cells_of_html_tables_become_piped():
    assert [t for t in texts("<table><tr><td>read</td><td>12</td></tr></table>") if t] == ["read | 12 |"]


def test_colours_carriage_returns_and_time_stamps_come_off():
    assert texts("\x1b[1mbold\x1b[0m\r\n")[0] == "bold"
    assert texts("50%\r100%\n")[:2] == ["50%", "100%"]
    stamped = "".join(f"2024-01-02T03:04:05.123Z line {n}\n" for n in range(4))
    assert texts(stamped)[:2] == ["line 0", "line 1"]


def test_a_single_date_is_not_taken_for_a_logger():
    assert texts("2023-10-30 16:13:09 dbench 128\nother\nlines\n")[0] == "2023-10-30 16:13:09 dbench 128"
