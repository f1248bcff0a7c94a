// Package sim is the whole shop under a seeded scheduler: the real manager, interpreter, job manager, workers, toolbox,
// question desk and ledger, with a model that may be slow, dead or mad, tools that break or do not listen, customers who
// say and answer anything at any moment, a disk that has no room for a write or for a while, and kills at every moment that matters. It runs inside a testing/synctest
// bubble. The seed decides everything, so a seed that fails can be run again.
package sim
