package tools

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/outbound"
)

// eightDays is an answer of the service from noon's day on.
func eightDays() string {
	days, codes, highs, lows, rain := []string{}, []string{}, []string{}, []string{}, []string{}
	for i := range forecastDays {
		days = append(days, fmt.Sprintf("%q", noon.AddDate(0, 0, i).Format(time.DateOnly)))
		codes = append(codes, []string{"0", "63", "75"}[i%3])
		highs, lows, rain = append(highs, fmt.Sprintf("%d.4", 10+i)), append(lows, fmt.Sprintf("-%d.6", i)), append(rain, fmt.Sprint(i*10))
	}
	join := func(s []string) string { return strings.Join(s, ",") }
	return fmt.Sprintf(`{"current":{"time":"2026-03-04T12:30","temperature_2m":7.6,"weather_code":2,"relative_humidity_2m":40},
		"daily":{"time":[%s],"weather_code":[%s],"temperature_2m_max":[%s],"temperature_2m_min":[%s],"precipitation_probability_max":[%s]}}`,
		join(days), join(codes), join(highs), join(lows), join(rain))
}

func service(t *testing.T, handler http.HandlerFunc) Deps {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return Deps{Now: at(noon), ForecastURL: server.URL}
}

func TestWeatherTells(t *testing.T) {
	var query string
	deps := service(t, func(w http.ResponseWriter, r *http.Request) {
		query = r.URL.RawQuery
		_, _ = io.WriteString(w, eightDays())
	})
	for _, c := range []struct {
		args args
		lang bilingual.Lang
		want string
	}{
		{args{}, bilingual.KO, "서울시청 오늘 날씨: 구름 조금, 지금 8°C, 최저 -1°C / 최고 10°C, 강수 확률 0% (Open-Meteo)"},
		{args{"place": "부산", "day": "tomorrow"}, bilingual.KO, "부산 내일 날씨: 비, 최저 -2°C / 최고 11°C, 강수 확률 10% (Open-Meteo)"},
		{args{"place": "Busan", "day": "2026-03-06"}, bilingual.EN, "Busan, Friday, March 6: heavy snow, low -3°C / high 12°C, chance of rain 20% (Open-Meteo)"},
		{args{"place": "Busan", "day": "+7"}, bilingual.EN, "Busan, Wednesday, March 11: rain, low -8°C / high 17°C, chance of rain 70% (Open-Meteo)"},
	} {
		if got, _, err := run(t, deps, "weather", c.lang, c.args); err != nil || got.Text != c.want {
			t.Errorf("%v: %q, %v", c.args, got.Text, err)
		}
	}
	for _, want := range []string{"latitude=35.1796", "longitude=129.0756", "timezone=Asia%2FSeoul", "forecast_days=8"} {
		if !strings.Contains(query, want) {
			t.Errorf("query %s lacks %s", query, want)
		}
	}
}

// Who asks about today where it is another day than there means the day it is there.
func TestTodayIsThePlaces(t *testing.T) {
	deps := service(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, eightDays()) })
	for _, here := range []time.Time{
		time.Date(2026, 3, 3, 22, 0, 0, 0, time.UTC),                                  // the evening before
		time.Date(2026, 3, 5, 1, 0, 0, 0, time.FixedZone("ahead of Seoul", 13*60*60)), // the next morning
	} {
		deps.Now = at(here)
		got, _, err := run(t, deps, "weather", bilingual.KO, args{"place": "부산", "day": here.Format(time.DateOnly)})
		if err != nil || !strings.HasPrefix(got.Text, "부산 오늘 날씨: 구름 조금, 지금 8°C") {
			t.Errorf("%v: %q, %v", here, got.Text, err)
		}
	}
}

func TestWeatherArgumentsThatDoNotFit(t *testing.T) {
	deps := service(t, func(http.ResponseWriter, *http.Request) { t.Error("the service was asked") })
	for _, day := range []string{"yesterday", "2026-03-03", "2026-03-12", "+8", "+x", "someday"} {
		_, _, err := run(t, deps, "weather", bilingual.KO, args{"day": day})
		wantCode(t, err, apperr.InvalidArgs)
	}
	_, _, err := run(t, deps, "weather", bilingual.KO, args{"place": "어디에도 없는 곳"})
	wantCode(t, err, apperr.PlaceUnknown)
}

func TestWeatherBadAnswers(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{
		"garbage": func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>captive portal</html>") },
		"empty":   func(http.ResponseWriter, *http.Request) {},
		"incomplete": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `{"daily":{"time":["2026-03-04"]}}`)
		},
		"other days": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, strings.ReplaceAll(eightDays(), "2026", "1999"))
		},
		"nulls": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `{"daily":{"time":["2026-03-04"],"weather_code":[null],"temperature_2m_max":[null],"temperature_2m_min":[null],"precipitation_probability_max":[null]}}`)
		},
		"500": func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "broken", http.StatusInternalServerError) },
		"huge": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, strings.Repeat(" ", 2*maxForecastSize)+eightDays())
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := run(t, service(t, answer), "weather", bilingual.EN, args{})
			wantCode(t, err, apperr.ToolFailed)
		})
	}
}

func TestWeatherOffline(t *testing.T) {
	// A port that was just given back refuses.
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	_, _, err = run(t, Deps{Now: at(noon), ForecastURL: "http://" + address}, "weather", bilingual.KO, args{})
	wantCode(t, err, apperr.Offline)
	if says := apperr.From(err).Text(bilingual.KO); !strings.Contains(says, "날씨 예보") {
		t.Errorf("says %q", says)
	}
	_, _, err = run(t, Deps{Now: at(noon), Line: outbound.New(outbound.Options{}), ForecastURL: "http://no-such-host.invalid"}, "weather", bilingual.EN, args{})
	wantCode(t, err, apperr.Offline)
}

func TestWeatherSlowAndCanceled(t *testing.T) {
	slow := service(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	slow.HTTP = &http.Client{Timeout: 50 * time.Millisecond} // on a busy machine it is over before the service hears of the request
	_, _, err := run(t, slow, "weather", bilingual.KO, args{})
	wantCode(t, err, apperr.Timeout)

	arrived := make(chan struct{})
	deps := service(t, func(_ http.ResponseWriter, r *http.Request) {
		close(arrived)
		<-r.Context().Done()
	})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-arrived
		cancel()
	}()
	_, err = tool(t, deps, "weather").Run(ctx, (&bench{}).call(bilingual.KO, args{}))
	if !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

func TestSkyKnowsTheCodes(t *testing.T) {
	for _, code := range []int{0, 1, 2, 3, 45, 48, 51, 53, 55, 56, 57, 61, 63, 65, 66, 67, 71, 73, 75, 77, 80, 81, 82, 85, 86, 95, 96, 99} {
		if ko, en := sky(code); en == "unknown weather" || ko == "" {
			t.Errorf("code %d", code)
		}
	}
}

// Switched to offline, it says so and does not blame the connection.
func TestWeatherSwitchedOff(t *testing.T) {
	closed := outbound.New(outbound.Options{Closed: func() bool { return true }})
	_, _, err := run(t, Deps{Now: at(noon), Line: closed}, "weather", bilingual.KO, args{})
	wantCode(t, err, apperr.NothingLeaves)
	if says := apperr.From(err).Text(bilingual.KO); !strings.Contains(says, "api.open-meteo.com") || !strings.Contains(says, "오프라인") {
		t.Errorf("says %q", says)
	}
}
