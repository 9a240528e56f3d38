"""Ranking functions: `linear_cubes` turns steps into polyhedra, `templates` asks for ranks that fit them,
`ranking_search` puts a proof together, `proofs` adds invariants."""
