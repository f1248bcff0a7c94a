package job

// NodeName is the name of a node of the job graph, as a todo's state says where it stands.
type NodeName string

// NodeNames lists every node of the job graph for the fronts: a window that has a word for each of them is told by its
// compiler when one comes.
var NodeNames = []NodeName{
	nodePick, nodeNeed, nodeReactInput, nodeReactLLM, nodeReactConditional, nodeReactTool, nodeReactResponse,
	nodeReactError, nodeChoose, nodeAskInput, nodeReadInput, nodeAcquire, nodeAskLock, nodeReadLock, nodeConfirm,
	nodePreview, nodeAskApproval, nodeReadApproval, nodeExec, nodeAskRecovery, nodeReadRecovery, nodeSave,
	nodeRelease, nodeReport, nodeDone,
}
