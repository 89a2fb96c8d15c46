// Only for the test of the manifests.
module dyno/deploy/kubernetes

go 1.26

require (
	k8s.io/api v0.37.2
	sigs.k8s.io/yaml v1.6.0
)
