import pytest

from tests.factories import make_user

pytestmark = pytest.mark.django_db
LOGIN = "/accounts/login/"


def log_in(client, name: str, password: str, **extra):
    return client.post(LOGIN, {"login": name, "password": password}, **extra)


def test_the_admin_sends_strangers_to_the_log_in(client):
    answer = client.get("/admin/", follow=True)

    assert answer.redirect_chain[-1][0].startswith(LOGIN)
    assert "Log in to the newsroom" in answer.content.decode()


def test_a_right_password_leads_to_the_desk(client):
    make_user("ines")

    assert log_in(client, "ines", "correct horse battery").url == "/admin/"


def test_the_right_password_is_refused_after_five_wrong_ones_until_time_has_passed(client):
    time_machine = pytest.importorskip("time_machine")
    make_user("ines")
    with time_machine.travel("2026-05-14T10:00:00Z", tick=False) as clock:
        for _time in range(5):
            assert log_in(client, "ines", "wrong").status_code == 200

        assert log_in(client, "ines", "correct horse battery").status_code == 200
        assert "_auth_user_id" not in client.session

        clock.shift(301)
        assert log_in(client, "ines", "correct horse battery").status_code == 302


def test_one_address_cannot_try_many_names(client):
    make_user("ines")
    for number in range(10):
        log_in(client, f"nobody-{number}", "wrong")

    assert log_in(client, "ines", "correct horse battery").status_code == 200
    assert "_auth_user_id" not in client.session


def test_an_unknown_name_is_told_like_a_wrong_password(client):
    make_user("ines")

    def said(name):
        return log_in(client, name, "wrong").content.decode().replace(name, "NAME")

    errors = [text.split('role="alert"')[1].split("</div>")[0] for text in (said("ines"), said("oscar"))]
    assert errors[0] == errors[1]


def test_nobody_signs_up(client):
    assert client.get("/accounts/signup/").status_code == 404


def test_someone_without_a_role_sees_no_newsroom(client):
    user = make_user("oscar", None)
    client.force_login(user)

    assert "Episodes" not in client.get("/admin/").content.decode().split('id="content"')[1]
    user.is_staff = False
    user.save()
    assert client.get("/admin/").status_code in {302, 403}
