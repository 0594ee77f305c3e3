"""Licences as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.errors import SoundLibraryError
from builders.sounds.licenses import CLASSES, NO_DERIVATIVES, License, corpus_license, understand, wanted


@pytest.mark.parametrize(
    ("text", "kind", "version"),
    [
        ("http://creativecommons.org/publicdomain/zero/1.0/", "cc0", ""),
        ("https://creativecommons.org/publicdomain/zero/1.0/legalcode", "cc0", ""),
        ("creativecommons.org/publicdomain/mark/1.0", "public-domain", ""),
        ("http://creativecommons.org/licenses/by/3.0/", "cc-by", "3.0"),
        ("https://www.creativecommons.org/licenses/by/4.0/deed.en", "cc-by", "4.0"),
        ("http://creativecommons.org/licenses/by-nc/3.0/", "cc-by-nc", "3.0"),
        ("http://creativecommons.org/licenses/by-nc-sa/2.5/", "cc-by-nc-sa", "2.5"),
        ("http://creativecommons.org/licenses/sampling+/1.0/", "sampling+", ""),
        ("http://creativecommons.org/licenses/by-nd/4.0/", "cc-by-nd", "4.0"),
        ("http://creativecommons.org/licenses/by-nc-nd/4.0/", "cc-by-nc-nd", "4.0"),
        ("http://creativecommons.org/licenses/by-xx/4.0/", "unknown", ""),
        ("http://creativecommons.org.evil.example/licenses/by/3.0/", "unknown", ""),
        ("http://example.org/my-licence", "unknown", ""),
        ("CC0", "cc0", ""),
        ("CC0-1.0", "cc0", ""),
        ("cc 0", "cc0", ""),
        ("Creative Commons 0", "cc0", ""),
        ("Creative Commons Zero v1.0 Universal", "cc0", ""),
        ("CC0 1.0 Universal Public Domain Dedication", "cc0", ""),
        ("Public Domain", "public-domain", ""),
        ("public domain mark 1.0", "public-domain", ""),
        ("CC-BY-4.0", "cc-by", "4.0"),
        ("CC BY 4.0", "cc-by", "4.0"),
        ("cc_by", "cc-by", ""),
        ("Attribution", "cc-by", ""),
        ("Attribution 3.0 Unported", "cc-by", "3.0"),
        ("Attribution Noncommercial", "cc-by-nc", ""),
        ("Attribution-NonCommercial 4.0 International", "cc-by-nc", "4.0"),
        ("Creative Commons Attribution-ShareAlike 4.0 International License", "cc-by-sa", "4.0"),
        ("Creative Commons Attribution Non-Commercial Share Alike 3.0", "cc-by-nc-sa", "3.0"),
        ("Attribution-NoDerivatives 4.0", "cc-by-nd", "4.0"),
        ("CC BY-NC-ND 4.0", "cc-by-nc-nd", "4.0"),
        ("Sampling+", "sampling+", ""),
        ("CC Sampling Plus 1.0", "sampling+", ""),
        ("MIT", "mit", ""),
        ("MIT License", "mit", ""),
        ("Expat", "mit", ""),
        ("MIT (package licence)", "mit", ""),
        ("Apache-2.0", "apache", ""),
        ("Apache License, Version 2.0", "apache", ""),
        ("BSD-3-Clause", "bsd", ""),
        ("CC-BY-3.0 and CC0-1.0", "unknown", ""),
        ("CC BY, ask the author first", "unknown", ""),
        ("not CC0", "unknown", ""),
        ("nc", "unknown", ""),
        ("", "unknown", ""),
        ("all rights reserved", "unknown", ""),
    ],
)
def test_understand(text: str, kind: str, version: str) -> None:
    found = understand(text)
    assert (found.kind, found.version) == (kind, version)


def test_ported_licences_keep_their_country() -> None:
    assert understand("http://creativecommons.org/licenses/by/2.0/uk/").name == "CC-BY-2.0-UK"
    assert understand("CC BY 3.0 DE") == License("cc-by", "3.0", "de")


@given(st.text(max_size=60))
def test_any_text_is_of_some_class(text: str) -> None:
    assert understand(text).kind in (*CLASSES, *NO_DERIVATIVES)


@given(st.sampled_from([kind for kind in CLASSES if kind != "unknown"]), st.sampled_from(["3.0", "4.0"]))
def test_a_name_is_understood_as_what_it_names(kind: str, version: str) -> None:
    license_ = License(kind, version if kind.startswith("cc-") else "")
    assert understand(license_.name) == license_


def test_wanted() -> None:
    some = wanted("cc0, CC-BY-3.0,unknown")
    assert [some.holds(text) for text in ("CC0", "CC BY 3.0", "CC BY 4.0", "", "what?", "CC BY-NC 3.0")] == [
        *(True, True, False, True, True, False)
    ]
    assert str(some) == "cc0,cc-by-3.0,unknown"
    assert not wanted("cc0").holds("")  # what is unknown is out unless it is asked for


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("cc-by-nd", "'cc-by-nd' forbids derivatives"),
        ("cc0,gpl", "'gpl' is not understood; there are cc0, public-domain,"),
        (" , ", "none is named"),
    ],
)
def test_what_cannot_be_wanted(text: str, said: str) -> None:
    with pytest.raises(SoundLibraryError) as caught:
        wanted(text)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["CC0-1.0", "CC0", "http://creativecommons.org/publicdomain/zero/1.0/"], "cc0-1.0"),
        (["CC0-1.0", "http://creativecommons.org/licenses/by/3.0/"], "cc-by-3.0"),
        (["CC BY 3.0", "CC-BY-4.0"], "cc-by-4.0"),
        (["Creative Commons Attribution 4.0"], "cc-by-4.0"),
        (["https://creativecommons.org/licenses/by-nc/4.0/", "CC0"], "cc-by-nc-4.0"),
        (["http://creativecommons.org/licenses/by-nc/3.0/"], "cc-by-nc-3.0"),
        (["CC BY-SA 4.0", "CC BY 4.0"], "cc-by-sa-4.0"),
        (["CC BY-SA 4.0", "CC BY-NC 4.0"], "other"),
        (["http://creativecommons.org/licenses/sampling+/1.0/", "CC0"], "other"),
        (["CC BY-ND 4.0"], "other"),
        (["Attribution"], "other"),
        (["CC BY-NC-SA 4.0", "Attribution NonCommercial 3.0"], "cc-by-nc-sa-4.0"),
        (["CC BY-NC-SA 4.0", "CC BY-SA 4.0"], "other"),
        (["CC BY 1.0"], "other"),
        (["MIT"], "mit"),
        (["CC0", ""], "other"),
        ([], "other"),
        (["public domain"], "cc0-1.0"),
        (["MIT", "CC0"], "mit"),
        (["Expat", "CC BY 3.0"], "cc-by-3.0"),
        (["Sampling+", "CC BY 3.0"], "other"),
        (["http://creativecommons.org/licenses/by/2.0/uk/"], "other"),
    ],
)
def test_the_licence_of_a_corpus_is_the_most_restrictive(texts: list[str], expected: str) -> None:
    assert corpus_license(texts) == expected
