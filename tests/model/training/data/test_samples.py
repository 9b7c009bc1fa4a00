import pytest

from model.training.data.samples import (
    ABOUT_SENTENCES,
    PARAGRAPH,
    TYPED,
    TYPED_CHINESE,
    TYPED_SENTENCES,
    VISITOR_SECOND_SET,
    VISITOR_SENTENCES,
    fits,
    is_right,
    is_visitor_sentence,
    says_twice,
    sentences_of,
)


def test_the_about_page_shows_the_first_twenty_four_of_many() -> None:
    assert len(ABOUT_SENTENCES) == 24
    assert VISITOR_SENTENCES[:24] == ABOUT_SENTENCES
    assert len(VISITOR_SENTENCES) >= 130


def test_the_second_set_shares_no_sentence_with_the_first() -> None:
    assert len(VISITOR_SECOND_SET) == 100
    assert not set(VISITOR_SECOND_SET) & set(VISITOR_SENTENCES)


@pytest.mark.parametrize(
    ("english", "french", "right"),
    [
        ("Sleep well, little one.", "Dors bien, mon petit.", True),
        ("Sleep well, little one.", "Le petit dort.", False),
        ("Congratulations on your new job!", "Félicitations pour votre nouveau poste !", True),
        ("Congratulations on your new job!", "Félicitations pour mon nouveau poste !", False),
    ],
)
def test_the_second_set_knows_right_from_wrong(english: str, french: str, right: bool) -> None:
    assert is_right(english, french) == right


def test_a_sentence_of_the_test_set_is_known_however_it_is_typed() -> None:
    assert is_visitor_sentence("What time is it?")
    assert is_visitor_sentence("what time is it")
    assert not is_visitor_sentence("What time is it now?")


@pytest.mark.parametrize(
    ("english", "french", "right"),
    [
        ("I love you.", "Je t'aime.", True),
        ("I love you.", "Je vous aime !", True),
        ("I love you.", "J'aime.", False),
        ("What time is it?", "Quelle heure est-il ?", True),
        ("What time is it?", "Quel temps fait-il ?", False),
        ("Good morning!", "Bonjour", True),
        (
            "The animal didn't cross the street because it was too wide.",
            "L'animal n'a pas traversé la rue parce qu'elle était trop large.",
            True,
        ),
        (
            "The animal didn't cross the street because it was too wide.",
            "L'animal n'a pas traversé la rue parce qu'il était trop large.",
            False,
        ),
        ("Where is the train station?", "Où est la gare ?", True),
        ("Hello, how are you?", "Bonjour, comment êtes-vous ?", False),
        ("We are going to the beach tomorrow.", "Demain, nous irons à la plage.", True),
        ("We are going to the beach tomorrow.", "Demain, nous irons à la plagex", False),
        (
            "My name is Anna and I come from Berlin.",
            "Je m'appelle Anna et je viens de Berlin.",
            True,
        ),
        (
            "My name is Anna and I come from Berlin.",
            "Je m'appelle Anne et je viens de Berlin.",
            False,
        ),
        ("twenty-five", "vingt-cinq", True),
        ("twenty-five", "25", False),
        ("Machine learning is fun.", "L'apprentissage automatique est amusant.", True),
        ("Machine learning is fun.", "Le dîner est amusant.", False),
        ("Can machines think?", "Les machines peuvent-elles penser ?", True),
        ("Can machines think?", "Les machines peuvent-ils penser ?", False),
        ("The car costs 1,995 dollars.", "La voiture coûte 1 995 dollars.", True),
        ("The car costs 1,995 dollars.", "La voiture coûte 1 959 dollars.", False),
        ("The train leaves at 7:45.", "Le train part à 7 h 45.", True),
        ("The train leaves at 7:45.", "Le train part à 7 heures.", False),
        ("I don't speak German.", "Je parle allemand.", False),
        ("Rachel bought 15 oranges in Seville.", "Rachel a acheté 15 oranges à Séville.", True),
        (
            "Rachel bought 15 oranges in Seville.",
            "Rachel a acheté 15 oranges à Séville à Séville.",
            False,
        ),
        ("Thank you! See you tomorrow.", "Merci ! À demain.", True),
        ("My grandfather is 83.", "Mon grand-père a 83 ans.", True),
        ("Zebra", "Zèbre", True),
    ],
)
def test_right_translations_are_told_from_wrong_ones(
    english: str, french: str, right: bool
) -> None:
    assert is_right(english, french) == right


def test_every_sentence_has_a_pattern_that_something_fits() -> None:
    both = VISITOR_SENTENCES + VISITOR_SECOND_SET
    assert not any(is_right(english, english) for english in both)
    with pytest.raises(ValueError, match="no right translation is known of 'Boo'"):
        is_right("Boo", "Bou")


def test_a_list_of_words_holds_all_of_them_and_none_that_it_forbids() -> None:
    assert fits("&(deux|2) chats&noirs?", "Voilà 2 chats noirs !")
    assert not fits("&(deux|2) chats&noirs?", "Voilà 2 chats !")
    assert not fits("&deux", "deuxième")
    assert fits("&deux&!pas", "J'en ai deux.")
    assert not fits("&deux&!pas", "Je n'en ai pas deux.")


@pytest.mark.parametrize(
    ("text", "twice"),
    [
        ("Le chat dort.", False),
        ("Nous nous levons.", False),
        ("Le chat chat dort.", True),
        ("Il y avait un peu, il y avait un peu.", True),
        ("Bonjour, Mariririria !", True),
        ("Il a 2000 ans.", False),
        ("", False),
    ],
)
def test_words_that_come_twice_in_a_row_are_found(text: str, twice: bool) -> None:
    assert says_twice(text) == twice


def test_sentences_are_counted_by_their_ends() -> None:
    assert sentences_of(" ".join(PARAGRAPH)) == 3
    assert sentences_of("Bonjour ! Ça va ? ...") == 2
    assert sentences_of("sans fin") == 0


def test_typed_strings_are_a_set_of_their_own() -> None:
    assert len(TYPED_SENTENCES) >= 250
    assert not set(TYPED_SENTENCES) & {*VISITOR_SENTENCES, *VISITOR_SECOND_SET}
    assert all(map(is_visitor_sentence, TYPED_SENTENCES))
    assert not any(is_right(sentence, "Le brouillard.") for sentence in TYPED_SENTENCES)
    for kind in ("❤", "(", "“", '"', "$", "€", "°", "@", "#", "—", "é"):
        assert any(kind in sentence for sentence in TYPED_SENTENCES), kind
    assert sum(sentence.isupper() for sentence in TYPED_SENTENCES) > 20


@pytest.mark.parametrize(
    ("english", "french", "right"),
    [
        ("I love you ❤", "Je t'aime ❤", True),
        ("I love you ❤", "Je t'aime.", False),
        ("Tom (my brother) is here.", "Tom (mon frère) est ici.", True),
        ("Tom (my brother) is here.", "Tom mon frère est ici.", False),
        ("“Hello,” she said.", "« Bonjour », dit-elle.", True),
        ("“Hello,” she said.", "Bonjour, dit-elle.", False),
        ('She asked, "Where is my bag?"', "Elle a demandé : « Où est mon sac ? »", True),
        ("“Are you ready?” he asked.", "« Êtes-vous prêts ? » demanda-t-il.", True),
        ("It costs €3.50.", "Ça coûte 3,50 €.", True),
        ("It's 20°C.", "Il fait 20 °C.", True),
        ("See you at 8 pm.", "À 20 h.", True),
        ("See you at 8 pm.", "À 18 h.", False),
        ("THE CAT IS BLACK.", "LE CHAT EST NOIR.", True),
        ("THE CAT IS BLACK.", "Le chat est noir.", False),
        ("4 + 3 = 7", "4 + 3 = 7", True),
        ("Again?!", "Encore ?!", True),
        ("Horse", "Le cheval", True),
    ],
)
def test_typed_strings_are_right_with_what_must_be_copied(
    english: str, french: str, right: bool
) -> None:
    assert is_right(english, french) == right


def test_typed_chinese_is_a_set_of_its_own() -> None:
    assert len(TYPED_CHINESE) >= 120
    assert TYPED["zh"] == TYPED_CHINESE
    assert not any(map(is_right, TYPED_CHINESE, ["The fog."] * len(TYPED_CHINESE)))
    assert not any(is_right(sentence, sentence) for sentence in TYPED_CHINESE)
    for kind in ("❤", "（", "“", "《", "@", "www.", "#", ",", "Python", "一百", "是中国的首都"):
        assert any(kind in sentence for sentence in TYPED_CHINESE), kind
    assert sum(sentence[-1].isalpha() for sentence in TYPED_CHINESE) > 10  # no mark at the end


def test_chinese_of_the_test_set_is_known_without_marks_and_with_others() -> None:
    for typed in ("北京是中国的首都", "北京 是 中国 的 首都!", "“北京是中国的首都。”"):
        assert is_visitor_sentence(typed)
    assert not is_visitor_sentence("北京是中国的首都吗？")
    assert is_visitor_sentence("晚安😴")
    assert not is_visitor_sentence("晚安")


@pytest.mark.parametrize(
    ("chinese", "english", "right"),
    [
        ("北京是中国的首都。", "Beijing is the capital of China.", True),
        ("北京是中国的首都。", "London is the capital of London.", False),
        ("中国人有中国梦。", "Chinese people have a Chinese dream.", True),
        ("中国人有中国梦。", "A chinay is a dream.", False),
        ("我爱中国。", "I love China.", True),
        ("我爱中国。", "I love Chinia.", False),
        ("二和三的和是五。", "The sum of two and three is five.", True),
        ("二和三的和是五。", "Three and three are five.", False),
        ("我用Python写了一个小程序。", "I wrote a small program with Python.", True),
        ("太好了！！！🎉", "Great!!! 🎉", True),
        ("太好了！！！🎉", "Great!", False),
        ("小丽（我的表妹）住在大连。", "Xiao Li (my cousin) lives in Dalian.", True),
        ("她说：“我不饿。”", 'She said, "I\'m not hungry."', True),
        ("她说：“我不饿。”", "She said she wasn't hungry.", False),
        ("#周末 我们去看电影吧！", "#Weekend Let's go to the movies!", True),
        ("房间B205在几楼？", "What floor is room B205 on?", True),
        ("我的邮箱是 li.hua88@163.com", "My email is li.hua88@163.com", True),
        ("一百二十", "One hundred twenty", True),
        ("一百二十", "a hundred and twenty", True),
        ("一百二十", "One hundred and two.", False),
        ("两只小猫", "Two kittens.", True),
        ("机票要2500块钱。", "The ticket costs 2,500 yuan.", True),
        ("我只有五美元。", "I only have five dollars.", True),
        ("百分之六十的学生喜欢数学。", "60% of the students like math.", True),
        ("现在是下午四点半。", "It's half past four in the afternoon.", True),
        ("苏州", "Suzhou", True),
        ("1. 打开电脑", "1. Turn on the computer", True),
    ],
)
def test_right_english_of_typed_chinese_is_told_from_wrong(
    chinese: str, english: str, right: bool
) -> None:
    assert is_right(chinese, english) == right
