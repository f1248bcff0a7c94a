package builtin_test

import (
	"testing"

	"agentchat/backend/provider"
	"agentchat/backend/provider/builtin"
	"agentchat/backend/provider/providertest"
)

func TestConformance(t *testing.T) {
	providertest.Run(t, func() provider.Provider { return builtin.New() })
}
