// Package geo is the geometry of guidance: distances, bearings and points along a great circle on a spherical earth.
package geo

import "math"

// EarthKm is the mean radius of the earth in kilometres (IUGG). The sphere is within 0.5 % of the true figure.
const EarthKm = 6371.0088

// Point is a place in degrees (WGS 84), latitude north and longitude east.
type Point struct{ Lat, Lon float64 }

func radians(degrees float64) float64 { return degrees * math.Pi / 180 }
func degrees(radians float64) float64 { return radians * 180 / math.Pi }

// DistanceKm is the great-circle distance (haversine: exact also for points next door).
func DistanceKm(a, b Point) float64 { return EarthKm * angle(a, b) }

func angle(a, b Point) float64 {
	lat, lon := radians(b.Lat-a.Lat), radians(b.Lon-a.Lon)
	h := math.Pow(math.Sin(lat/2), 2) + math.Cos(radians(a.Lat))*math.Cos(radians(b.Lat))*math.Pow(math.Sin(lon/2), 2)
	return 2 * math.Asin(math.Min(1, math.Sqrt(h)))
}

// Bearing is the direction to set out from a to reach b, in degrees clockwise from north, [0, 360). It is 0 where a and b
// are the same place.
func Bearing(a, b Point) float64 {
	lat1, lat2, lon := radians(a.Lat), radians(b.Lat), radians(b.Lon-a.Lon)
	y := math.Sin(lon) * math.Cos(lat2)
	x := math.Cos(lat1)*math.Sin(lat2) - math.Sin(lat1)*math.Cos(lat2)*math.Cos(lon)
	if x == 0 && y == 0 {
		return 0
	}
	return math.Mod(degrees(math.Atan2(y, x))+360, 360)
}

// Between is the point a fraction (0…1) of the way from a to b along the great circle. For opposite points, where every
// way is equally long, it goes over the pole side that rounding picks.
func Between(a, b Point, fraction float64) Point {
	fraction = math.Max(0, math.Min(1, fraction))
	d := angle(a, b)
	sin := math.Sin(d)
	if d < 1e-9 || sin < 1e-12 {
		if fraction < 0.5 || d < 1e-9 {
			return a
		}
		return b
	}
	p, q := math.Sin((1-fraction)*d)/sin, math.Sin(fraction*d)/sin
	lat1, lon1, lat2, lon2 := radians(a.Lat), radians(a.Lon), radians(b.Lat), radians(b.Lon)
	x := p*math.Cos(lat1)*math.Cos(lon1) + q*math.Cos(lat2)*math.Cos(lon2)
	y := p*math.Cos(lat1)*math.Sin(lon1) + q*math.Cos(lat2)*math.Sin(lon2)
	z := p*math.Sin(lat1) + q*math.Sin(lat2)
	return Point{Lat: degrees(math.Atan2(z, math.Hypot(x, y))), Lon: degrees(math.Atan2(y, x))}
}

// Compass is the number of the 16-point compass direction nearest to a bearing: 0 is north, 4 east, 8 south, 12 west.
func Compass(bearing float64) int {
	return int(math.Round(math.Mod(math.Mod(bearing, 360)+360, 360)/22.5)) % 16
}
