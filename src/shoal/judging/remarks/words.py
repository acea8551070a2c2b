"""What the name of a column says about its role, in English, German and Chinese."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property

_LONG = 6  # from this length on, a word is also found inside a longer one
_WHOLE = {"origin"}  # but not these: an original is none

_SHORTEST = 3  # of a word that another name is a form of


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Direct identifiers: one cell is enough to find the person.
_IDENTIFIER = _words("""
    surname lastname firstname fullname forename vorname nachname familienname geburtsname
    username login ssn socialsecurity sozialversicherung email mail emailadresse phone tel
    telephone telefon mobile handy handynummer fax address adresse anschrift street strasse
    straße hausnummer iban konto kontonummer passport reisepass ausweis licenseplate
    kennzeichen vin mrn nhs kvnr versichertennummer uuid guid ip url website homepage foto
    photo signature unterschrift fingerprint 姓名 身份证 电话 手机 地址 住址 邮箱 护照 车牌
""")
# After these, a name describes an identifier and is none: email type, address country.
_DESCRIBES = _words("""
    type kind status class category flag country city state region valid verified count
    consent typ art land ort stadt length provider
""")
_PERSON = _words("""
    patient patienten pat person personal personen people customer kunde kunden client klient
    user member mitglied mitglieds subject participant proband probanden teilnehmer employee
    mitarbeiter worker student schueler schüler pupil case fall resident insured
    versicherten voter household haushalt first last full middle given family nick maiden
    mother father spouse child doctor arzt owner contact 患者 病人 客户 学生 员工 用户
""")
_ID = _words("id ids nr no number nummer key uid pid index row rownumber zeile 编号 序号 学号")
# Survey weights: nearly one per row, and of no use after generalization.
_SURVEY_WEIGHT = _words("fnlwgt wgt pweight finalweight surveyweight samplingweight")
_POSTAL = _words("""
    zip zipcode zip5 postal postalcode postcode plz postleitzahl 邮编 邮政编码
""")
# What others usually know: generalized even where nearly every value is different.
_KNOWN = _words("""
    age alter sex gender geschlecht birth dob geburt geburtsdatum birthdate birthday race
    ethnic ethnicity nationality nationalität country land state bundesland city stadt ort
    wohnort region district kreis county gemeinde municipality education bildung schulbildung
    marital familienstand job occupation profession beruf workclass language sprache
    性别 年龄 出生 民族 国籍 城市 省 学历 婚姻 职业
""")
_BIRTH = _words("""
    birth dob born birthdate birthday geburt geburtsdatum geburtstag gebdatum gebdat geb geboren
    出生 生日
""")
_MEASURE = _words("""
    age alter weight gewicht height größe groesse bmi amount betrag price preis cost kosten
    balance temperature temperatur pressure druck size length distance duration dauer days
    tage hours stunden minutes year jahr month monat count anzahl rate dose dosis glucose
    cholesterol level value wert lat latitude lon lng longitude area gain loss
    年龄 体重 身高 金额 数量 天数
""")
# After these, a name speaks of another form of the same: age group, diagnosis code.
_FORMS = _words("""
    code codes label text group class category cat band bin rank log ln sq squared rounded text
    gruppe klasse kategorie stufe name id nr 代码 组 类
""")
# From what must be protected most to what is protected if there is nothing else.
_SENSITIVE = (
    _words("""
        disease diseases diagnosis diagnoses diagnose diagnosen condition illness sickness hiv
        aids icd icd10 symptom symptoms medication medications medicine drug drugs
        medikament treatment therapy therapie behandlung krankheit erkrankung befund prognosis
        income salary salaries wage wages earnings gehalt lohn einkommen verdienst religion
        konfession faith belief beliefs weltanschauung union gewerkschaft party partei politics
        political opinion meinung origin herkunft migration health gesundheit
        sexuality orientation crime crimes offence offense conviction straftat
        debt schulden disability behinderung
        健康 政治 党 工会 信仰 疾病 诊断 病 收入 工资 薪 宗教 药 治疗 犯罪
    """),
    _words("grade grades score scores rating zensur zensuren schulnote 成绩 分数 得分"),
    _words("occupation profession job beruf 职业"),
)


@dataclass(frozen=True)
class Name:
    """A column's name, asked for its meaning.

    Examples
    --------
    >>> Name("Patient-ID").is_person_number, Name("disease_id").is_person_number
    (True, False)
    >>> Name("salary-class").sensitive_tier, Name("Krankheitsbild").sensitive_tier
    (0, 0)
    >>> Name("first name").is_identifier, Name("country name").is_identifier
    (True, False)
    """

    text: str

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words of the name, in lower case; ``PatientID`` has two."""
        apart = re.sub(
            r"(?<=[a-zß-ÿ0-9])(?=[A-ZÄÖÜ])", " ", unicodedata.normalize("NFC", self.text)
        )
        return tuple(re.findall(r"[^\W_]+", apart.lower()))

    @cached_property
    def _joined(self) -> str:
        return "".join(self.words)

    @property
    def _begins_with_person(self) -> bool:
        return any(
            self._joined.startswith(word) for word in _PERSON if len(word) > 3 or not word.isascii()
        )

    @property
    def is_identifier(self) -> bool:
        """Whether it names something that finds a person at once: a name, an address."""
        if not self.words or self.words[-1] in _DESCRIBES:
            return False
        if self._says(_IDENTIFIER):
            return True
        others = set(self.words) - {"name", "names"}
        if len(others) < len(set(self.words)):
            return others <= _PERSON
        return self._joined.endswith("name") and self._begins_with_person

    @property
    def is_person_number(self) -> bool:
        """Whether it names the number of a person, a patient or a case."""
        if self.words == ("id",):
            return True
        return self.is_number_of_something and (
            bool(_PERSON & set(self.words)) or self._begins_with_person
        )

    @property
    def is_number_of_something(self) -> bool:
        """Whether it ends like a number: id, no, key."""
        return bool(self.words) and (
            self.words[-1] in _ID or self._joined.endswith(("nummer", "number", "号"))
        )

    @property
    def is_survey_weight(self) -> bool:
        """Whether it names the weight of a row in a survey."""
        return bool(_SURVEY_WEIGHT & {*self.words, self._joined})

    @property
    def is_postal(self) -> bool:
        """Whether it names a postal code."""
        return self._says(_POSTAL)

    @property
    def is_known(self) -> bool:
        """Whether it names something that others usually know."""
        return self._says(_KNOWN)

    @property
    def is_birth(self) -> bool:
        """Whether it names when somebody was born."""
        return self._says(_BIRTH)

    @property
    def is_measure(self) -> bool:
        """Whether it names something that is measured or counted."""
        return self._says(_MEASURE)

    @property
    def sensitive_tier(self) -> int | None:
        """How sensitive it sounds: 0 most, 2 least, ``None`` not at all."""
        for tier, words in enumerate(_SENSITIVE):
            if self._says(words) or self._logarithm in words:
                return tier
        return None

    def is_kin_of(self, other: Name) -> bool:
        """Whether one is named as another form of the other: its logarithm, its code, its class."""
        return other._joined in self._stems or self._joined in other._stems

    @cached_property
    def _stems(self) -> frozenset[str]:
        """What the name may be another form of."""
        made = {self._logarithm, re.sub(r"(log|ln|sq|squared|2)$", "", self._joined)}
        if len(self.words) > 1 and self.words[-1] in _FORMS:
            made.add("".join(self.words[:-1]))
        return frozenset(stem for stem in made if len(stem) >= _SHORTEST) - {self._joined}

    @property
    def _logarithm(self) -> str:
        """What the name is the logarithm of, as economists write it: ``lwage``, ``log_wage``."""
        return re.sub(r"^(log|ln|l)", "", self._joined)

    def _says(self, vocabulary: frozenset[str]) -> bool:
        own = {*self.words, self._joined}
        if own & vocabulary:
            return True
        return any(
            word in name
            for name in self.words
            for word in vocabulary
            if (len(word) >= _LONG or not word.isascii()) and word not in _WHOLE
        )
