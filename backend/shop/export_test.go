package shop

// Redacted is what letters go through before they are kept.
var Redacted = redacted
