package event

// ModelPull is the download of a model. State is waiting, pulling, paused, failed or done. Done and Total are bytes, Total
// is 0 until it is known; Percent never goes back; Speed is bytes a second, SecondsLeft a guess, 0: unknown. Error says why
// it failed. Canceled is set once, when the download is taken off the list.
type ModelPull struct {
	Model       string  `json:"model"`
	State       string  `json:"state" ts_type:"models.PullState"`
	Done        int64   `json:"done"`
	Total       int64   `json:"total"`
	Percent     float64 `json:"percent"`
	Speed       float64 `json:"speed"`
	SecondsLeft int64   `json:"secondsLeft"`
	Error       *Error  `json:"error,omitempty"`
	Canceled    bool    `json:"canceled,omitempty"`
}

// ModelsChanged says that a model was installed, deleted, loaded or unloaded; a front that shows them loads them again. Model is "" when
// there were several.
type ModelsChanged struct {
	Model string `json:"model,omitempty"`
}

// UpdateChanged says that the search for a newer version, or its download, has come farther; a front that shows it loads it again.
type UpdateChanged struct{}
