package world

import (
	"cmp"
	"math"
	"time"
)

// earthRadiusKm is the mean radius of the Earth (IUGG R1).
const earthRadiusKm = 6371.0088

func radians(degrees float64) float64 { return degrees * math.Pi / 180 }
func degrees(radians float64) float64 { return radians * 180 / math.Pi }

// distanceKm is the great-circle distance between two points by the haversine
// formula.
func distanceKm(lat1, lon1, lat2, lon2 float64) float64 {
	dLat, dLon := radians(lat2-lat1)/2, radians(lon2-lon1)/2
	h := math.Pow(math.Sin(dLat), 2) + math.Cos(radians(lat1))*math.Cos(radians(lat2))*math.Pow(math.Sin(dLon), 2)
	return 2 * earthRadiusKm * math.Asin(math.Min(1, math.Sqrt(h)))
}

// bearingDeg is the initial compass bearing from the first point to the
// second, 0 to 360 degrees, clockwise from north.
func bearingDeg(lat1, lon1, lat2, lon2 float64) float64 {
	p1, p2, dLon := radians(lat1), radians(lat2), radians(lon2-lon1)
	y := math.Sin(dLon) * math.Cos(p2)
	x := math.Cos(p1)*math.Sin(p2) - math.Sin(p1)*math.Cos(p2)*math.Cos(dLon)
	return math.Mod(degrees(math.Atan2(y, x))+360, 360)
}

// sun is the course of the sun on one day at one place, in minutes after
// midnight UTC; noon and the rest may lie outside 0 to 1440.
type sun struct {
	rise, noon, set float64
	dayMinutes      float64
}

// sunOn computes the day's length and the sun's times by the sunrise equation
// (declination and equation of time from a Fourier series of the day of the
// year, zenith 90.833 degrees). It is good to a few minutes.
func sunOn(date time.Time, lat, lon float64) sun {
	g := 2 * math.Pi / 365 * (float64(date.YearDay()) - 1)
	equation := 229.18 * (0.000075 + 0.001868*math.Cos(g) - 0.032077*math.Sin(g) - 0.014615*math.Cos(2*g) - 0.040849*math.Sin(2*g))
	declination := 0.006918 - 0.399912*math.Cos(g) + 0.070257*math.Sin(g) - 0.006758*math.Cos(2*g) +
		0.000907*math.Sin(2*g) - 0.002697*math.Cos(3*g) + 0.00148*math.Sin(3*g)
	p := radians(lat)
	c := math.Cos(radians(90.833))/(math.Cos(p)*math.Cos(declination)) - math.Tan(p)*math.Tan(declination)
	half := degrees(math.Acos(math.Max(-1, math.Min(1, c)))) * 4
	noon := 720 - 4*lon - equation
	return sun{rise: noon - half, noon: noon, set: noon + half, dayMinutes: 2 * half}
}

func compareFloats(a, b float64) int { return cmp.Compare(a, b) }
