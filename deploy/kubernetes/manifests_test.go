// Package kubernetes checks the manifests of this folder against Kubernetes' own types: every field is one that its
// kind has, in the place where it belongs.
package kubernetes

import (
	"os"
	"path/filepath"
	"testing"

	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

func read(t *testing.T, file string, into any) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.UnmarshalStrict(text, into); err != nil {
		t.Errorf("%s: %v", file, err)
	}
}

func TestEveryManifestIsOfItsKind(t *testing.T) {
	files, err := filepath.Glob("*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no manifests: %v", err)
	}
	for _, file := range files {
		var kind struct {
			APIVersion string `json:"apiVersion"`
			Kind       string `json:"kind"`
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := yaml.Unmarshal(text, &kind); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		switch kind.APIVersion + " " + kind.Kind {
		case "batch/v1 Job":
			read(t, file, &batch.Job{})
		case "v1 ConfigMap":
			read(t, file, &core.ConfigMap{})
		case "v1 Secret":
			read(t, file, &core.Secret{})
		default:
			t.Errorf("%s: no check for %s %s", file, kind.APIVersion, kind.Kind)
		}
	}
}

// The Job of the workers, the number of seats in the run, and what both mount, fit together.
func TestTheManifestsFitTogether(t *testing.T) {
	var workers, run batch.Job
	var experiments core.ConfigMap
	var secret core.Secret
	read(t, "workers.yaml", &workers)
	read(t, "run.yaml", &run)
	read(t, "experiments.yaml", &experiments)
	read(t, "secret.yaml", &secret)

	if mode := workers.Spec.CompletionMode; mode == nil || *mode != batch.IndexedCompletion {
		t.Error("the workers are no Indexed Job")
	}
	if *workers.Spec.Completions != *workers.Spec.Parallelism {
		t.Error("seats that begin one after the other never make a run")
	}
	arguments := run.Spec.Template.Spec.Containers[0].Args
	if want := []string{"run", "experiment.yml", "--seats", "4"}; len(arguments) != len(want) {
		t.Errorf("the run is begun with %v", arguments)
	} else if *workers.Spec.Completions != 4 || arguments[3] != "4" {
		t.Errorf("%d workers for %s seats", *workers.Spec.Completions, arguments[3])
	}
	if _, there := experiments.Data[arguments[1]]; !there {
		t.Errorf("the config map lacks %s", arguments[1])
	}
	for _, job := range []batch.Job{workers, run} {
		pod := job.Spec.Template.Spec
		if name := pod.Containers[0].EnvFrom[0].SecretRef.Name; name != secret.Name {
			t.Errorf("%s takes its keys from %s", job.Name, name)
		}
		for _, volume := range pod.Volumes {
			if volume.ConfigMap != nil && volume.ConfigMap.Name != experiments.Name {
				t.Errorf("%s mounts %s", job.Name, volume.ConfigMap.Name)
			}
		}
	}
}
