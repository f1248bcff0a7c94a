package job

// NodeName is the name of a node of the job graph, as a todo's state says where it stands.
type NodeName string

// NodeNames lists every node of the job graph for the fronts: a window that has a word for each of them is told by its
// compiler when one comes.
var NodeNames = []struct {
	Value  NodeName
	TSName string
}{
	{nodePick, "PICK"},
	{nodeNeed, "NEED"},
	{nodeReactInput, "REACT_INPUT"},
	{nodeReactLLM, "REACT_LLM"},
	{nodeReactConditional, "REACT_CONDITIONAL"},
	{nodeReactTool, "REACT_TOOL"},
	{nodeReactResponse, "REACT_RESPONSE"},
	{nodeReactError, "REACT_ERROR"},
	{nodeChoose, "CHOOSE"},
	{nodeAskInput, "ASK_INPUT"},
	{nodeReadInput, "READ_INPUT"},
	{nodeAcquire, "ACQUIRE"},
	{nodeAskLock, "ASK_LOCK"},
	{nodeReadLock, "READ_LOCK"},
	{nodeConfirm, "CONFIRM"},
	{nodePreview, "PREVIEW"},
	{nodeAskApproval, "ASK_APPROVAL"},
	{nodeReadApproval, "READ_APPROVAL"},
	{nodeExec, "EXEC"},
	{nodeAskRecovery, "ASK_RECOVERY"},
	{nodeReadRecovery, "READ_RECOVERY"},
	{nodeSave, "SAVE"},
	{nodeRelease, "RELEASE"},
	{nodeReport, "REPORT"},
	{nodeDone, "DONE"},
}

// TodoStates lists every state of a todo for the fronts.
var TodoStates = []struct {
	Value  TodoState
	TSName string
}{
	{TodoPending, "PENDING"},
	{TodoRunning, "RUNNING"},
	{TodoWaiting, "WAITING"},
	{TodoDone, "DONE"},
	{TodoFailed, "FAILED"},
	{TodoSkipped, "SKIPPED"},
}
