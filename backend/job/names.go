package job

// NodeName is the name of a node of the job graph, as a todo's state says where it stands.
type NodeName string

// NodeNames lists every node of the job graph for the fronts. The window's compiler then reports a node that has no label.
var NodeNames = []NodeName{
	nodePick, nodeNeed, nodeReactInput, nodeReactLLM, nodeReactConditional, nodeReactTool, nodeReactResponse,
	nodeReactError, nodeChoose, nodeAskInput, nodeReadInput, nodeAcquire, nodeAskLock, nodeReadLock, nodeConfirm,
	nodePreview, nodeAskApproval, nodeReadApproval, nodeExec, nodeAskRecovery, nodeReadRecovery, nodeSave,
	nodeRelease, nodeReport, nodeDone,
}
