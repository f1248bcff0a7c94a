package shop_test

import "testing"

// The form says what its button does and what will be left then; of a transfer of another day that is not known.
func TestTheFormSaysWhatConfirmingDoes(t *testing.T) {
	t.Parallel()
	c := enter(t, t.TempDir())
	c.say("엄마한테 만원 보내줘")
	form := c.snapshot().Service[0]
	if form.Act != "1만원 보내기" || form.After != "보내면 잔액이 99만원 남아요." {
		t.Errorf("the form: %q, %q", form.Act, form.After)
	}
	c.say("내일 보내줘")
	form = c.snapshot().Service[0]
	if form.Act != "1만원 예약하기" || form.After != "" {
		t.Errorf("the form of another day: %q, %q", form.Act, form.After)
	}
}
