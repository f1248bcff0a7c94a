package tablequery_test

import (
	"encoding/json"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/tablequery"
)

func form(q tablequery.Query) string {
	raw, err := json.Marshal(q)
	if err != nil {
		return err.Error()
	}
	return string(raw)
}

func TestQuestionsInWords(t *testing.T) {
	ko, en := open(t, "매출.xlsx", sales), open(t, "orders.csv", orders)
	for _, c := range []struct {
		table      *tablequery.Table
		text, want string
	}{
		{ko, "매출.xlsx에서 지점별 금액 합계", `{"do":"sum","column":"금액(원)","by":[{"column":"지점"}]}`},
		{ko, "서울 지점 금액 합계 알려줘", `{"do":"sum","column":"금액(원)","where":[{"column":"지점","is":"is","value":"서울"}]}`},
		{ko, "지점이 서울인 금액의 평균", `{"do":"average","column":"금액(원)","where":[{"column":"지점","is":"is","value":"서울"}]}`},
		{ko, "B열이 서울인 E열 평균", `{"do":"average","column":"금액(원)","where":[{"column":"지점","is":"is","value":"서울"}]}`},
		{ko, "금액 상위 3개", `{"do":"rows","column":"금액(원)","order":"desc","top":3}`},
		{ko, "금액이 가장 큰 지점", `{"do":"sum","column":"금액(원)","by":[{"column":"지점"}],"order":"desc","top":1}`},
		{ko, "금액이 만 원 이상인 줄 보여줘", `{"do":"rows","where":[{"column":"금액(원)","is":"at_least","value":"10000"}]}`},
		{ko, "월별 금액 합계", `{"do":"sum","column":"금액(원)","by":[{"column":"날짜","each":"month"}]}`},
		{ko, "2월 지점별 금액", `{"do":"sum","column":"금액(원)","by":[{"column":"지점"}],"where":[{"column":"날짜","is":"is","value":"2026-02"}]}`},
		{ko, "1월부터 2월까지 금액 합계", `{"do":"sum","column":"금액(원)","where":[{"column":"날짜","is":"between","value":"2026-01","to":"2026-02"}]}`},
		{ko, "사과 몇 건이야?", `{"do":"count","where":[{"column":"품목","is":"is","value":"사과"}]}`},
		{ko, "서울 빼고 지점별 금액 합계", `{"do":"sum","column":"금액(원)","by":[{"column":"지점"}],"where":[{"column":"지점","is":"is_not","value":"서울"}]}`},
		{ko, "품목 종류", `{"do":"distinct","column":"품목"}`},
		{ko, "금액이 5000원에서 10000원 사이인 것 개수", `{"do":"count","where":[{"column":"금액(원)","is":"between","value":"5000","to":"10000"}]}`},
		{ko, "담당에 하나가 들어간 줄", `{"do":"rows","where":[{"column":"담당","is":"contains","value":"하나"}]}`},
		{ko, "담당이 비어 있는 줄", `{"do":"rows","where":[{"column":"담당","is":"empty"}]}`},
		{ko, "금액 최댓값", `{"do":"max","column":"금액(원)"}`},
		{ko, "날짜 최신순으로 목록", `{"do":"rows","sort":"날짜","order":"desc"}`},
		{ko, "금액 낮은 순으로 보여줘", `{"do":"rows","column":"금액(원)","order":"asc"}`},
		{ko, "요일별 건수", `{"do":"count","by":[{"column":"날짜","each":"weekday"}]}`},
		{ko, "지점별 월별 금액 합계", `{"do":"sum","column":"금액(원)","by":[{"column":"지점"},{"column":"날짜","each":"month"}]}`},
		{ko, "처음 3줄 보여줘", `{"do":"rows","top":3}`},
		{ko, "무슨 열이 있어?", `{"do":"columns"}`},
		{ko, "금액 제일 많은 품목 두 개", `{"do":"sum","column":"금액(원)","by":[{"column":"품목"}],"order":"desc","top":2}`},
		{ko, "지점별 금액 합계와 평균", `{"do":"sum","column":"금액(원)","also":[{"do":"average","column":"금액(원)"}],"by":[{"column":"지점"}]}`},
		{ko, "금액 합계와 평균", `{"do":"sum","column":"금액(원)","also":[{"do":"average","column":"금액(원)"}]}`},
		{ko, "수량 합계와 금액 평균", `{"do":"sum","column":"수량","also":[{"do":"average","column":"금액(원)"}]}`},
		{ko, "지점별 건수와 금액 합계", `{"do":"count","also":[{"do":"sum","column":"금액(원)"}],"by":[{"column":"지점"}]}`},
		{ko, "지점별 금액과 수량", `{"do":"sum","column":"금액(원)","also":[{"do":"sum","column":"수량"}],"by":[{"column":"지점"}]}`},
		{ko, "월별 금액 최대, 최소, 평균 알려줘", `{"do":"max","column":"금액(원)","also":[{"do":"min","column":"금액(원)"},{"do":"average","column":"금액(원)"}],"by":[{"column":"날짜","each":"month"}]}`},
		{ko, "서울 금액과 수량 합계", `{"do":"sum","column":"금액(원)","also":[{"do":"sum","column":"수량"}],"where":[{"column":"지점","is":"is","value":"서울"}]}`},
		{en, "sum and average of amount by region", `{"do":"sum","column":"Amount","also":[{"do":"average","column":"Amount"}],"by":[{"column":"Region"}]}`},
		{en, "count and total amount per product", `{"do":"count","also":[{"do":"sum","column":"Amount"}],"by":[{"column":"Product"}]}`},
		{en, "sum of units and average of amount", `{"do":"sum","column":"Units","also":[{"do":"average","column":"Amount"}]}`},
		{en, "total units and amount by region", `{"do":"sum","column":"Units","also":[{"do":"sum","column":"Amount"}],"by":[{"column":"Region"}]}`},
		{en, "min, max and mean of unit price", `{"do":"min","column":"Unit price","also":[{"do":"max","column":"Unit price"},{"do":"average","column":"Unit price"}]}`},
		{en, "total amount by region", `{"do":"sum","column":"Amount","by":[{"column":"Region"}]}`},
		{en, "average of column F where B is North", `{"do":"average","column":"Amount","where":[{"column":"Region","is":"is","value":"North"}]}`},
		{en, "average of column F where region is north", `{"do":"average","column":"Amount","where":[{"column":"Region","is":"is","value":"North"}]}`},
		{en, "top 2 by amount", `{"do":"rows","sort":"Amount","order":"desc","top":2}`},
		{en, "which region has the highest amount?", `{"do":"sum","column":"Amount","by":[{"column":"Region"}],"order":"desc","top":1}`},
		{en, "how many chairs were sold", `{"do":"count","where":[{"column":"Product","is":"is","value":"Chair"}]}`},
		{en, "rows with amount over 100", `{"do":"rows","where":[{"column":"Amount","is":"above","value":"100"}]}`},
		{en, "amount per month", `{"do":"sum","column":"Amount","by":[{"column":"Order date","each":"month"}]}`},
		{en, "sum of units excluding South by product", `{"do":"sum","column":"Units","by":[{"column":"Product"}],"where":[{"column":"Region","is":"is_not","value":"South"}]}`},
		{en, "list the distinct products", `{"do":"distinct","column":"Product"}`},
		{en, "total amount since 2026-01-15", `{"do":"sum","column":"Amount","where":[{"column":"Order date","is":"at_least","value":"2026-01-15"}]}`},
		{en, "total amount in January 2026", `{"do":"sum","column":"Amount","where":[{"column":"Order date","is":"is","value":"2026-01"}]}`},
		{en, "show the rows sorted by unit price descending", `{"do":"rows","sort":"Unit price","order":"desc"}`},
		{en, "the lowest unit price", `{"do":"min","column":"Unit price"}`},
	} {
		q, err := c.table.Read(c.text, nil, now)
		q.Sheet = ""
		if got := form(q); err != nil || got != c.want {
			t.Errorf("%s\n got %s %v\nwant %s", c.text, got, err, c.want)
		}
	}
}

func TestAQuestionGoesOn(t *testing.T) {
	ko, en := open(t, "매출.xlsx", sales), open(t, "orders.csv", orders)
	for _, c := range []struct {
		table               *tablequery.Table
		first, second, want string
	}{
		{ko, "지점별 금액 합계", "상위 2개", `{"do":"sum","column":"금액(원)","by":[{"column":"지점"}],"order":"desc","top":2}`},
		{ko, "지점별 금액 합계 상위 2개", "월별로는?", `{"do":"sum","column":"금액(원)","by":[{"column":"날짜","each":"month"}]}`},
		{ko, "서울 금액 합계", "부산은?", `{"do":"sum","column":"금액(원)","where":[{"column":"지점","is":"is","value":"부산"}]}`},
		{ko, "서울 금액 합계", "평균은?", `{"do":"average","column":"금액(원)","where":[{"column":"지점","is":"is","value":"서울"}]}`},
		{ko, "서울 금액 합계", "품목별 건수", `{"do":"count","by":[{"column":"품목"}]}`},
		{ko, "지점별 금액 합계", "평균도", `{"do":"sum","column":"금액(원)","also":[{"do":"average","column":"금액(원)"}],"by":[{"column":"지점"}]}`},
		{ko, "지점별 금액 합계", "합계와 건수는?", `{"do":"sum","column":"금액(원)","also":[{"do":"count"}],"by":[{"column":"지점"}]}`},
		{ko, "지점별 금액 합계와 평균", "상위 2개", `{"do":"sum","column":"금액(원)","also":[{"do":"average","column":"금액(원)"}],"by":[{"column":"지점"}],"order":"desc","top":2}`},
		{en, "total amount by region", "the average too", `{"do":"sum","column":"Amount","also":[{"do":"average","column":"Amount"}],"by":[{"column":"Region"}]}`},
		{ko, "지점별 금액 합계", "그중 사과만", `{"do":"sum","column":"금액(원)","by":[{"column":"지점"}],"where":[{"column":"품목","is":"is","value":"사과"}]}`},
		{en, "total amount by region", "top 2", `{"do":"sum","column":"Amount","by":[{"column":"Region"}],"order":"desc","top":2}`},
		{en, "total amount by region", "and by month?", `{"do":"sum","column":"Amount","by":[{"column":"Order date","each":"month"}]}`},
		{en, "the highest amount", "top 2", `{"do":"rows","column":"Amount","order":"desc","top":2}`},
		{en, "total amount by region", "only chairs", `{"do":"sum","column":"Amount","by":[{"column":"Region"}],"where":[{"column":"Product","is":"is","value":"Chair"}]}`},
	} {
		before, err := c.table.Read(c.first, nil, now)
		if err != nil {
			t.Errorf("%s: %v", c.first, err)
			continue
		}
		q, err := c.table.Read(c.second, &before, now)
		q.Sheet = ""
		if got := form(q); err != nil || got != c.want {
			t.Errorf("%s, %s\n got %s %v\nwant %s", c.first, c.second, got, err, c.want)
		}
	}
}

// Nothing is computed that leaves a word of the question out silently.
func TestWhatIsNotUnderstoodIsSaid(t *testing.T) {
	ko, en := open(t, "매출.xlsx", sales), open(t, "orders.csv", orders)
	for _, c := range []struct {
		table *tablequery.Table
		text  string
	}{
		{ko, "광주 금액 합계"},
		{ko, "이익 합계"},
		{ko, "서로 다른 품목의 금액 평균"},
		{ko, "합계"},
		{ko, "안녕"},
		{ko, "서울과 부산 금액 합계"},
		{ko, "할인 뺀 금액 합계"},
		{en, "total profit by region"},
		{en, "total amount in the West"},
		{en, "hello there"},
		{en, "average"},
	} {
		if q, err := c.table.Read(c.text, nil, now); apperr.CodeOf(err) != apperr.TableUnclear {
			t.Errorf("%s: %s %v", c.text, form(q), err)
		}
	}
}
