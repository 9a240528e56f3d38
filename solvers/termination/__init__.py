"""Ranking functions: `linear_cubes` turns steps into polyhedra, `templates` asks for ranks that fit them, `search` puts
a proof together."""
