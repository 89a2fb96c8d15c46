"""Computes recall with numpy from recorded requests: `python3 recall.py FILE` prints a JSON object by the names of requests.

Each line of FILE is a document ({"id", "vector"}) or an answer ({"name", "query", "k", "below", "ids"}); `below` is the filter, ordinals
less than it, or null. The first line says by what vectors are compared.
"""
import json
import sys

import numpy as np

with open(sys.argv[1]) as lines:
    head = json.loads(next(lines))
    documents, answers = {}, {}
    for line in lines:
        one = json.loads(line)
        if "vector" in one:
            documents[one["id"]] = one["vector"]
        else:
            answers.setdefault(one["name"], []).append(one)

ids = np.array(sorted(documents))
base = np.array([documents[number] for number in ids], dtype=np.float64)

found = {"documents": len(ids)}
for name, asked in answers.items():
    below = asked[0]["below"]
    allowed = ids if below is None else ids[ids < below]
    vectors = base if below is None else base[ids < below]
    k = asked[0]["k"]
    recalls = []
    for one in asked:
        query = np.array(one["query"], dtype=np.float64)
        if head["similarity"] == "l2_norm":
            near = -np.linalg.norm(vectors - query, axis=1)
        elif head["similarity"] == "cosine":
            near = vectors @ query / np.linalg.norm(vectors, axis=1) / np.linalg.norm(query)
        else:
            near = vectors @ query
        true = set(allowed[np.argsort(-near, kind="stable")[:k]].tolist())
        recalls.append(len(true & set(one["ids"])) / min(k, len(allowed)))
    found[name] = {"answers": len(recalls), "recall": float(np.mean(recalls))}
print(json.dumps(found))
