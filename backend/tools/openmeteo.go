package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"agentchat/backend/outbound"
	"agentchat/backend/tools/geo"
)

// Open-Meteo is a public forecast service that needs no key (data under CC BY 4.0).
const openMeteoURL = "https://api.open-meteo.com/v1/forecast"

const (
	connectWithin   = 3 * time.Second
	forecastWithin  = 8 * time.Second
	forecastDays    = 8
	maxForecastSize = 1 << 20
)

// forecastClient makes the HTTP client for the forecast: it notices soon that there is no way out.
func forecastClient(line *outbound.Line) *http.Client {
	c := line.Client(outbound.Way{Room: outbound.RoomWeather, Connect: connectWithin, Proxy: true, Shape: func(t *http.Transport) {
		t.TLSHandshakeTimeout, t.MaxIdleConns, t.IdleConnTimeout = connectWithin, 2, 30*time.Second
	}})
	c.Timeout = forecastWithin
	return c
}

// forecast is what the service tells, in local time of the place. Temperatures are in °C, rain in percent.
type forecast struct {
	Current struct {
		Temperature *float64 `json:"temperature_2m"`
		Code        *int     `json:"weather_code"`
	} `json:"current"`
	Daily struct {
		Time []string   `json:"time"`
		Code []*int     `json:"weather_code"`
		Max  []*float64 `json:"temperature_2m_max"`
		Min  []*float64 `json:"temperature_2m_min"`
		Rain []*float64 `json:"precipitation_probability_max"`
	} `json:"daily"`
}

// errUnreachable says there was no connection to the service at all.
var errUnreachable = errors.New("forecast service unreachable")

// fetchForecast asks the service for the days from today on. The error is errUnreachable, ctx's, or says what was wrong with
// the answer.
func fetchForecast(ctx context.Context, client *http.Client, base string, at geo.Point, zone string) (forecast, error) {
	query := url.Values{
		"latitude":      {strconv.FormatFloat(at.Lat, 'f', 4, 64)},
		"longitude":     {strconv.FormatFloat(at.Lon, 'f', 4, 64)},
		"timezone":      {zone},
		"forecast_days": {strconv.Itoa(forecastDays)},
		"current":       {"temperature_2m,weather_code"},
		"daily":         {"weather_code,temperature_2m_max,temperature_2m_min,precipitation_probability_max"},
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"?"+query.Encode(), nil)
	if err != nil {
		return forecast{}, err
	}
	request.Header.Set("Accept", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return forecast{}, connection(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxForecastSize))
	if err != nil {
		return forecast{}, connection(err)
	}
	if response.StatusCode != http.StatusOK {
		return forecast{}, fmt.Errorf("HTTP %d", response.StatusCode)
	}
	var f forecast
	if err := json.Unmarshal(body, &f); err != nil {
		return forecast{}, fmt.Errorf("unreadable answer: %w", err)
	}
	d := f.Daily
	if n := len(d.Time); n == 0 || len(d.Code) != n || len(d.Max) != n || len(d.Min) != n || len(d.Rain) != n && len(d.Rain) != 0 {
		return forecast{}, errors.New("incomplete answer")
	}
	return f, nil
}

// connection tells an answer that took too long, once connected, from no connection.
func connection(err error) error {
	if outbound.Refused(err) {
		return err
	}
	var dial *net.OpError
	if errors.As(err, &dial) && dial.Op == "dial" {
		return fmt.Errorf("%w: %w", errUnreachable, err)
	}
	if _, ok := errors.AsType[*net.DNSError](err); ok {
		return fmt.Errorf("%w: %w", errUnreachable, err)
	}
	var late net.Error
	if errors.As(err, &late) && late.Timeout() {
		return fmt.Errorf("%w: %w", context.DeadlineExceeded, err)
	}
	if errors.Is(err, context.Canceled) {
		return err
	}
	return fmt.Errorf("%w: %w", errUnreachable, err)
}

// skies are the WMO weather codes (table 4677 as the service uses it) in Korean and English.
var skies = map[int][2]string{
	0:  {"맑음", "clear sky"},
	1:  {"대체로 맑음", "mainly clear"},
	2:  {"구름 조금", "partly cloudy"},
	3:  {"흐림", "overcast"},
	45: {"안개", "fog"},
	48: {"안개", "fog"},
	51: {"이슬비", "drizzle"},
	53: {"이슬비", "drizzle"},
	55: {"이슬비", "drizzle"},
	56: {"어는 이슬비", "freezing drizzle"},
	57: {"어는 이슬비", "freezing drizzle"},
	61: {"약한 비", "light rain"},
	63: {"비", "rain"},
	65: {"강한 비", "heavy rain"},
	66: {"어는 비", "freezing rain"},
	67: {"어는 비", "freezing rain"},
	71: {"약한 눈", "light snow"},
	73: {"눈", "snow"},
	75: {"강한 눈", "heavy snow"},
	77: {"싸락눈", "snow grains"},
	80: {"소나기", "rain showers"},
	81: {"소나기", "rain showers"},
	82: {"강한 소나기", "violent rain showers"},
	85: {"소낙눈", "snow showers"},
	86: {"소낙눈", "snow showers"},
	95: {"뇌우", "thunderstorm"},
	96: {"우박을 동반한 뇌우", "thunderstorm with hail"},
	99: {"우박을 동반한 뇌우", "thunderstorm with hail"},
}

// sky says a weather code.
func sky(code int) (ko, en string) {
	if s, known := skies[code]; known {
		return s[0], s[1]
	}
	return "알 수 없는 날씨", "unknown weather"
}
