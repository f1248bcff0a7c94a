package library

import (
	_ "embed"
	"encoding/json"
	"math"
	"strings"

	"agentchat/backend/library/vectors"
)

//go:embed families.json
var familiesFile []byte

// families are the kinds of embedding models, and what is known of each. The first whose name fits holds; the last fits any.
// How the vectors of a text's tokens become one is no matter of ours: it stands in the model's own file.
var families = mustFamilies(familiesFile)

// family is what models of a kind want and are worth. Question and Passage are what a text begins with, for models that were
// taught to tell the two apart by it.
//
// How far a vector stands out of the crowd, which must have Crowd members to be one, is told in standard deviations. From
// Near of them on a passage counts as near, and from Full on as near as can be, which is worth Weight beside its words.
//
// A passage that has no word in common with the question is given only when that is no chance: when its cosine is at least
// Sure, where it is known which one that is for the family, else when it stands out by Beyond more than the nearest of as
// many vectors does by lot. Otherwise every question would find something.
type family struct {
	Names    []string `json:"names"` // what the name of a model holds, in small letters
	Question string   `json:"question"`
	Passage  string   `json:"passage"`
	Crowd    int      `json:"crowd"`
	Near     float64  `json:"near"`
	Full     float64  `json:"full"`
	Weight   float64  `json:"weight"`
	Sure     float64  `json:"sure"` // 0: not known
	Beyond   float64  `json:"beyond"`
}

func mustFamilies(file []byte) (list []family) {
	if err := json.Unmarshal(file, &list); err != nil {
		panic("library: families.json: " + err.Error())
	}
	return list
}

// familyOf gives the kind that a model is of, by its name.
func familyOf(model string) family {
	model = strings.ToLower(model)
	for _, f := range families[:len(families)-1] {
		for _, name := range f.Names {
			if strings.Contains(model, name) {
				return f
			}
		}
	}
	return families[len(families)-1]
}

// keptAs is the name that vectors are kept under: of the same model, those of texts that begin otherwise are others.
func keptAs(model string) string {
	if p := familyOf(model).Passage; p != "" {
		return model + "\t" + p
	}
	return model
}

// leastStrength is that of what is given by its vector alone.
const leastStrength = 0.3

// byChance is how far the nearest of n vectors drawn by lot stands out, in most cases: where the largest of n numbers of a
// normal distribution lies.
func byChance(n int) float64 {
	log := math.Log(float64(n))
	root := math.Sqrt(2 * log)
	return root - (math.Log(log)+math.Log(4*math.Pi))/(2*root)
}

// near is a passage found by its vector. worth is what that adds to what its words say; without a crowd it is a part of the
// family's weight that says how near it is between all and the nearest. strength is what the vector alone says of it, as in
// Hit; 0 when that is nothing. alone is what it adds in place of words where there are none in common.
type near struct {
	id       int64
	worth    float64
	strength float64
	alone    float64
}

// weigh tells what it is worth to be as near as that; nearest is the nearest there is.
func (f family) weigh(id int64, cosine, nearest float64, crowd vectors.Crowd) near {
	n := near{id: id}
	far := (cosine - crowd.Mean) / max(crowd.Deviation, 1e-6)
	switch {
	case crowd.Size < f.Crowd:
		n.worth = f.Weight * max(cosine-crowd.Mean, 0) / max(nearest-crowd.Mean, 1e-6)
	case far >= f.Full:
		n.worth = f.Weight
	case far > f.Near:
		n.worth = f.Weight * (far - f.Near) / (f.Full - f.Near)
	}
	switch beyond := far - byChance(crowd.Size) - f.Beyond; {
	case f.Sure > 0 && cosine >= f.Sure:
		n.strength = leastStrength + (1-leastStrength)*(cosine-f.Sure)/(1-f.Sure)
	case f.Sure == 0 && crowd.Size >= f.Crowd && beyond >= 0:
		n.strength = min(leastStrength+beyond/10, 1)
		n.alone = n.strength
	}
	return n
}
