package unit

import (
	"cmp"
	"math/big"
	"slices"
)

func rat(s string) *big.Rat {
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		panic("unit: " + s)
	}
	return r
}

func of(kind Kind, symbol, scale string, names ...string) Unit {
	return Unit{Symbol: symbol, Kind: kind, scale: rat(scale), shift: new(big.Rat), names: names}
}

func degrees(symbol, scale, shift string, names ...string) Unit {
	return Unit{Symbol: symbol, Kind: Temperature, scale: rat(scale), shift: rat(shift), names: names}
}

// units is the table. Base units: m, m², kg, L, K, m/s, byte, s. 평 is 400/121 m² and 돈 3.75 g by law; 근 is that of meat, 600 g.
var units = []Unit{
	of(Length, "mm", "1/1000", "밀리미터", "밀리", "millimeter", "millimeters", "millimetre", "millimetres"),
	of(Length, "cm", "1/100", "센티미터", "센치미터", "센티", "센치", "centimeter", "centimeters", "centimetre", "centimetres"),
	of(Length, "m", "1", "미터", "meter", "meters", "metre", "metres"),
	of(Length, "km", "1000", "킬로미터", "키로미터", "kilometer", "kilometers", "kilometre", "kilometres"),
	of(Length, "in", "0.0254", "인치", "inch", "inches"),
	of(Length, "ft", "0.3048", "피트", "foot", "feet"),
	of(Length, "yd", "0.9144", "야드", "yard", "yards"),
	of(Length, "mi", "1609.344", "마일", "mile", "miles"),
	of(Length, "nmi", "1852", "해리", "nautical mile", "nautical miles"),
	of(Length, "리", "43200/110", "ri"),
	of(Area, "cm²", "1/10000", "제곱센티미터", "제곱센티", "cm2", "square centimeter", "square centimeters", "square centimetres"),
	of(Area, "m²", "1", "제곱미터", "평방미터", "제곱 미터", "m2", "㎡", "sqm", "square meter", "square meters", "square metre", "square metres"),
	of(Area, "km²", "1000000", "제곱킬로미터", "km2", "square kilometer", "square kilometers", "square kilometres"),
	of(Area, "ha", "10000", "헥타르", "hectare", "hectares"),
	of(Area, "ft²", "0.09290304", "제곱피트", "평방피트", "ft2", "sqft", "square foot", "square feet"),
	of(Area, "acre", "4046.8564224", "에이커", "acres"),
	of(Area, "평", "400/121", "pyeong"),
	of(Weight, "mg", "1/1000000", "밀리그램", "milligram", "milligrams"),
	of(Weight, "g", "1/1000", "그램", "그람", "gram", "grams"),
	of(Weight, "kg", "1", "킬로그램", "키로그램", "킬로", "키로", "kilogram", "kilograms", "kilo", "kilos", "kgs"),
	of(Weight, "t", "1000", "톤", "ton", "tons", "tonne", "tonnes"),
	of(Weight, "oz", "0.028349523125", "온스", "ounce", "ounces"),
	of(Weight, "lb", "0.45359237", "파운드", "pound", "pounds", "lbs"),
	of(Weight, "근", "0.6", "geun"),
	of(Weight, "돈", "0.00375", "돈쭝", "don"),
	of(Volume, "mL", "1/1000", "밀리리터", "시시", "cc", "milliliter", "milliliters", "millilitre", "millilitres"),
	of(Volume, "L", "1", "리터", "liter", "liters", "litre", "litres"),
	of(Volume, "m³", "1000", "세제곱미터", "입방미터", "m3", "cubic meter", "cubic meters", "cubic metres"),
	of(Volume, "gal", "3.785411784", "갤런", "gallon", "gallons"),
	of(Volume, "cup", "0.2365882365", "컵", "cups"),
	of(Volume, "fl oz", "0.0295735295625", "액량온스", "fluid ounce", "fluid ounces"),
	of(Volume, "되", "1.8039", "doe"),
	degrees("°C", "1", "273.15", "섭씨", "℃", "celsius", "degrees celsius", "centigrade"),
	degrees("°F", "5/9", "45967/180", "화씨", "℉", "fahrenheit", "degrees fahrenheit"),
	degrees("K", "1", "0", "켈빈", "kelvin"),
	of(Speed, "m/s", "1", "초속", "meters per second", "metres per second"),
	of(Speed, "km/h", "5/18", "시속", "kph", "kmh", "kilometers per hour", "kilometres per hour"),
	of(Speed, "mph", "0.44704", "miles per hour"),
	of(Speed, "kn", "463/900", "노트", "knot", "knots"),
	of(Data, "bit", "1/8", "비트", "bits"),
	of(Data, "B", "1", "바이트", "byte", "bytes"),
	of(Data, "kB", "1000", "킬로바이트", "kilobyte", "kilobytes"),
	of(Data, "MB", "1000000", "메가바이트", "메가", "megabyte", "megabytes"),
	of(Data, "GB", "1000000000", "기가바이트", "기가", "gigabyte", "gigabytes"),
	of(Data, "TB", "1000000000000", "테라바이트", "테라", "terabyte", "terabytes"),
	of(Data, "KiB", "1024", "키비바이트", "kibibyte", "kibibytes"),
	of(Data, "MiB", "1048576", "메비바이트", "mebibyte", "mebibytes"),
	of(Data, "GiB", "1073741824", "기비바이트", "gibibyte", "gibibytes"),
	of(Time, "s", "1", "초", "second", "seconds", "sec"),
	of(Time, "min", "60", "분", "minute", "minutes", "mins"),
	of(Time, "h", "3600", "시간", "hour", "hours"),
	of(Time, "d", "86400", "일", "day", "days"),
	of(Time, "wk", "604800", "주", "주일", "week", "weeks"),
	of(Money, "원", "1", "won", "KRW"),
	of(Money, "USD", "1", "달러", "불", "dollar", "dollars", "$"),
	of(Money, "EUR", "1", "유로", "euro", "euros", "€"),
	of(Money, "JPY", "1", "엔", "엔화", "yen"),
	of(Money, "CNY", "1", "위안", "yuan"),
}

// also are names that people give another unit, too; alone they mean the one that has them in the table.
var also = map[string]string{"킬로": "km", "키로": "km"}

type named struct {
	name string
	unit Unit
}

var (
	byName  = map[string]Unit{}
	ordered []named // longest first
)

func init() {
	for _, u := range units {
		for _, name := range append([]string{u.Symbol}, u.names...) {
			if _, taken := byName[fold(name)]; !taken {
				byName[fold(name)] = u
			}
			ordered = append(ordered, named{name, u})
		}
	}
	slices.SortStableFunc(ordered, func(a, b named) int { return cmp.Compare(len(b.name), len(a.name)) })
}
