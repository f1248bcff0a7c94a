package geo

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

var (
	seoul  = Point{37.5663, 126.9779}
	busan  = Point{35.1796, 129.0750}
	london = Point{51.5074, -0.1278}
	paris  = Point{48.8566, 2.3522}
)

func TestKnownDistances(t *testing.T) {
	for _, c := range []struct {
		a, b Point
		km   float64
	}{{seoul, busan, 325}, {london, paris, 344}, {seoul, seoul, 0}, {Point{0, 0}, Point{0, 180}, math.Pi * EarthKm}} {
		if got := DistanceKm(c.a, c.b); math.Abs(got-c.km) > 2 {
			t.Errorf("DistanceKm(%v, %v) = %.1f, want about %.0f", c.a, c.b, got, c.km)
		}
	}
}

func TestKnownBearings(t *testing.T) {
	for _, c := range []struct {
		a, b    Point
		degrees float64
	}{{Point{0, 0}, Point{1, 0}, 0}, {Point{0, 0}, Point{0, 1}, 90}, {Point{1, 0}, Point{0, 0}, 180}, {Point{0, 1}, Point{0, 0}, 270}, {london, paris, 148}} {
		if got := Bearing(c.a, c.b); math.Abs(got-c.degrees) > 1 {
			t.Errorf("Bearing(%v, %v) = %.1f, want about %.0f", c.a, c.b, got, c.degrees)
		}
	}
}

func TestCompassPoints(t *testing.T) {
	for bearing, want := range map[float64]int{0: 0, 11: 0, 12: 1, 45: 2, 90: 4, 180: 8, 270: 12, 348: 15, 349: 0, 359.9: 0, -90: 12} {
		if got := Compass(bearing); got != want {
			t.Errorf("Compass(%v) = %d, want %d", bearing, got, want)
		}
	}
}

// A point on the way splits the way: both parts add up to the whole and the first is the asked fraction of it.
func TestBetweenLiesOnTheWay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		point := func(name string) Point {
			return Point{rapid.Float64Range(-89, 89).Draw(t, name+" lat"), rapid.Float64Range(-179, 179).Draw(t, name+" lon")}
		}
		a, b, f := point("a"), point("b"), rapid.Float64Range(0, 1).Draw(t, "fraction")
		whole := DistanceKm(a, b)
		if whole > math.Pi*EarthKm-1 {
			t.Skip("opposite points have no one way")
		}
		here := Between(a, b, f)
		if gone := DistanceKm(a, here); math.Abs(gone-f*whole) > 0.01 {
			t.Fatalf("gone %.4f km of %.4f km at %v", gone, whole, f)
		}
		if left := DistanceKm(here, b); math.Abs(left-(1-f)*whole) > 0.01 {
			t.Fatalf("left %.4f km of %.4f km at %v", left, whole, f)
		}
	})
}
