package models

import "agentchat/backend/provider/servers"

// Speed is how fast a server reads and writes with a model, in tokens a second, as measured over so many requests.
type Speed struct {
	Server   string  `json:"server"`
	Model    string  `json:"model"`
	Reads    float64 `json:"reads"`
	Writes   float64 `json:"writes"`
	Requests int     `json:"requests"`
}

// Listed is a model server of the list, how it is, and how fast. Settled says that its address and model are settings of their own. Health is that
// of provider.Status, or HealthOff. Breaker is "open" while it is not even asked. Reads and Writes are tokens a second, 0: not measured yet.
type Listed struct {
	servers.Server
	Settled  bool     `json:"settled"`
	Health   string   `json:"health" ts_type:"provider.Health | 'off'"`
	Reason   string   `json:"reason" ts_type:"provider.Reason | ''"`
	Detail   string   `json:"detail"`
	Breaker  string   `json:"breaker"`
	Serves   string   `json:"serves"` // the model that answers there
	Models   []string `json:"models"` // those that words may be had from
	Reads    float64  `json:"reads"`
	Writes   float64  `json:"writes"`
	Requests int      `json:"requests"`
	KeySet   bool     `json:"keySet"`
	KeyPlace string   `json:"keyPlace"` // keyring, file, env; "": nowhere
}
