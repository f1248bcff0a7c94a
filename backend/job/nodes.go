package job

import "agentchat/backend/graph"

// The nodes of the job graph (seed 000); those of react are the solve loop (seed 003).
const (
	nodePick             = "pick_todo"
	nodeNeed             = "need_tool"
	nodeReactInput       = "react_input"
	nodeReactLLM         = "react_llm"
	nodeReactConditional = "react_conditional"
	nodeReactTool        = "react_tool"
	nodeReactResponse    = "react_response"
	nodeReactError       = "react_error"
	nodeChoose           = "choose_tool"
	nodeAskInput         = "ask_input"
	nodeReadInput        = "read_input"
	nodeAcquire          = "acquire"
	nodeAskLock          = "ask_lock"
	nodeReadLock         = "read_lock"
	nodeConfirm          = "confirm_check"
	nodePreview          = "preview"
	nodeAskApproval      = "ask_approval"
	nodeReadApproval     = "read_approval"
	nodeExec             = "exec"
	nodeAskRecovery      = "ask_recovery"
	nodeReadRecovery     = "read_recovery"
	nodeSave             = "save_result"
	nodeRelease          = "release"
	nodeReport           = "report"
	nodeDone             = "done"
)

// compile declares the nodes and what is true of each, and builds the graph of them.
func (r *Runner) compile() (err error) {
	r.graph, err = graph.Compile("job", nodePick, []graph.Node[*Run]{
		{
			Name: nodePick, Doc: "takes the next todo", Run: r.pick, Soon: true,
			Next: []string{nodeNeed, nodeReport},
		},
		{
			Name: nodeNeed, Doc: "is a tool needed?", Run: r.need, Soon: true,
			Next: []string{nodeReactInput, nodeChoose},
		},
		{
			Name: nodeReactInput, Doc: "takes the request into the solve loop", Run: r.reactInput,
			Next: []string{nodeReactLLM, nodeReactError},
		},
		{
			Name: nodeReactLLM, Doc: "asks the model for the next round", Run: r.reactLLM,
			Next: []string{nodeReactConditional, nodeReactLLM},
		},
		{
			Name: nodeReactConditional, Doc: "a tool, an answer or an error?", Run: r.reactConditional,
			Next: []string{nodeReactTool, nodeReactResponse, nodeReactError, nodeAskInput},
		},
		{
			Name: nodeReactTool, Doc: "takes the next tool the model asked for", Run: r.reactTool,
			Next: []string{nodeReactTool, nodeAcquire, nodeReactLLM},
		},
		{
			Name: nodeReactResponse, Doc: "keeps the answer", Run: r.reactResponse,
			Next: []string{nodeSave},
		},
		{
			Name: nodeReactError, Doc: "says what went wrong", Run: r.reactError,
			Next: []string{nodeSave},
		},
		{
			Name: nodeChoose, Doc: "picks tool and arguments", Run: r.choose, Soon: true,
			Next: []string{nodeChoose, nodeAcquire, nodeAskInput, nodeSave},
		},
		{
			Name: nodeAskInput, Doc: "asks for a missing value", Run: r.askInput, Facts: graph.Facts{Inline: true},
			Next: []string{nodeReadInput},
		},
		{
			Name: nodeReadInput, Doc: "reads the value", Run: r.readInput, Facts: graph.Facts{Inline: true, Waits: graph.ForAnswer},
			Next: []string{nodeReadInput, nodeChoose, nodeReactLLM, nodeDone},
		},
		{
			Name: nodeAcquire, Doc: "leases the tool", Run: r.acquire, Facts: graph.Facts{Waits: graph.ForLease}, Soon: true,
			Next: []string{nodeAcquire, nodeConfirm, nodeAskLock, nodeSave},
		},
		{
			Name: nodeAskLock, Doc: "asks wait, cancel or stop_other", Run: r.askLock, Facts: graph.Facts{Inline: true},
			Next: []string{nodeReadLock},
		},
		{
			Name: nodeReadLock, Doc: "reads the decision", Run: r.readLock, Facts: graph.Facts{Inline: true, Waits: graph.ForAnswer},
			Next: []string{nodeReadLock, nodeAcquire, nodeDone},
		},
		{
			Name: nodeConfirm, Doc: "does policy want an approval?", Run: r.confirm, Facts: graph.Facts{Lease: true},
			Next: []string{nodeExec, nodePreview, nodeAcquire, nodeSave},
		},
		{
			Name: nodePreview, Doc: "shows what would change", Run: r.preview, Facts: graph.Facts{Lease: true},
			Next: []string{nodeAskApproval, nodeSave},
		},
		{
			Name: nodeAskApproval, Doc: "asks for approval", Run: r.askApproval, Facts: graph.Facts{Lease: true, Inline: true},
			Next: []string{nodeReadApproval, nodeSave},
		},
		{
			Name: nodeReadApproval, Doc: "reads the decision", Run: r.readApproval, Facts: graph.Facts{Lease: true, Inline: true, Waits: graph.ForAnswer},
			Next: []string{nodeReadApproval, nodeConfirm, nodePreview, nodeAskApproval, nodeChoose, nodeSave, nodeDone},
		},
		{
			Name: nodeExec, Doc: "runs the tool", Run: r.exec, Facts: graph.Facts{Lease: true, Effect: true, Waits: graph.ForMoment}, Soon: true,
			Next: []string{nodeExec, nodeSave, nodeConfirm, nodeAskRecovery},
		},
		{
			Name: nodeAskRecovery, Doc: "asks what happened before the crash", Run: r.askRecovery, Facts: graph.Facts{Lease: true, Inline: true, Doubt: true},
			Next: []string{nodeReadRecovery},
		},
		{
			Name: nodeReadRecovery, Doc: "reads the decision", Run: r.readRecovery, Facts: graph.Facts{Lease: true, Inline: true, Doubt: true, Waits: graph.ForAnswer},
			Next: []string{nodeReadRecovery, nodeConfirm, nodeSave, nodeDone},
		},
		{
			Name: nodeSave, Doc: "keeps the result", Run: r.saveResult,
			Next: []string{nodeRelease},
		},
		{
			Name: nodeRelease, Doc: "brings the tool back", Run: r.release, Soon: true,
			Next: []string{nodePick, nodeReactTool, nodeReactError, nodeReport},
		},
		{
			Name: nodeReport, Doc: "words the report", Run: r.report, Soon: true,
			Next: []string{nodeDone},
		},
		{
			Name: nodeDone, Doc: "ends the job", Run: r.done, Facts: graph.Facts{Inline: true},
			Next: []string{graph.End},
		},
	})
	return err
}
