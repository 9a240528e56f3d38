"""pycparser's grammar, and GNU's: attributes at all positions, `x ?: y`, ranges, alignments of expressions."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from pycparser import c_ast
from pycparser.c_lexer import CLexer, Token
from pycparser.c_parser import Coord, CParser

from chcverify.horn.system import Origin
from encoders.c.source.attributes import Attribute, Attributes, refused
from encoders.c.source.gnu_tokens import INFERRING_AUTO, PART_OPERATORS, AttributeToken, ClosingBrace
from encoders.c.source.syntax_trees import named_declarator

if TYPE_CHECKING:
    from pycparser.c_parser import _DeclInfo, _DeclSpec

LABEL_ADDRESS = "&&"  # the operator of an operand that is a constant of the type `label`
LOCAL_LABELS = "__label__"  # begins a pragma that declares labels of a block
COMPUTED_GOTO = "__chcverify_goto"  # `goto *pointer` is a call of it
_BEHIND_A_NAME_WITHOUT_TYPE = frozenset({"LPAREN", "LBRACKET", "EQUALS", "COMMA", "SEMI"})
CONSTEXPR = "constexpr"
"""In the storage of a declaration: a named constant."""


class GnuParser(CParser):
    """A parser of C with GNU's extensions.

    `x ?: y` has no second operand; a range is a BinaryOp `...`; attributes are kept apart in `attributes`. Attributes
    among the specifiers of a declaration, and behind its declarator, belong to each object that it declares; those
    behind `struct`, `union`, `enum`, and behind the closing brace, to the type.
    """

    def __init__(self, lexer: type[CLexer]) -> None:
        super().__init__(lexer=lexer)
        self.attributes = Attributes()
        self._dialect = "c23"  # its syntax is no other standard's; its keywords are those of the lexer

    # --- declarations at file scope

    def _parse_external_declaration(self) -> list[c_ast.Node]:
        """Also definitions of functions without a type, whose parameters are declared behind them, and declarations
        without a type: C before 1999 takes them as int (C90 6.5.2, 6.7.1)."""
        token = self._peek()
        if token is not None and token.type == "ID":
            follower = self._peek_type(2)
            if follower in _BEHIND_A_NAME_WITHOUT_TYPE:
                int_token = Token("INT", "int", token.lineno, token.column, token.filename)
                self._tokens._buffer.insert(self._mark(), int_token)
            elif follower in ("ID", "TIMES"):
                self._parse_error(f"unknown type name '{token.value}'", self._tok_coord(token))
        return super()._parse_external_declaration()

    # --- expressions

    def _parse_conditional_expression(self) -> c_ast.Node:
        condition = self._parse_binary_expression()
        if not self._accept("CONDOP"):
            return condition
        then = None if self._peek_type() == "COLON" else self._parse_expression()
        self._expect("COLON")
        return c_ast.TernaryOp(condition, then, self._parse_conditional_expression(), condition.coord)

    def _parse_constant_expression(self) -> c_ast.Node:
        low = self._parse_conditional_expression()
        if not self._accept("ELLIPSIS"):
            return low
        return c_ast.BinaryOp("...", low, self._parse_conditional_expression(), low.coord)

    def _parse_unary_expression(self) -> c_ast.Node:
        """`_Alignof x` takes an expression as sizeof does; `&&x` is the address of a label."""
        if self._peek_type() == "LAND":
            coord = self._tok_coord(self._advance())
            return c_ast.UnaryOp(LABEL_ADDRESS, c_ast.Constant("label", self._expect("ID").value, coord), coord)
        if (token := self._peek()) is not None and token.value in PART_OPERATORS:
            token = self._advance()
            return c_ast.UnaryOp(PART_OPERATORS[token.value], self._parse_cast_expression(), self._tok_coord(token))
        if self._peek_type() != "_ALIGNOF":
            return super()._parse_unary_expression()
        token = self._advance()
        named = self._try_parse_paren_type_name()
        if named is not None:
            if self._peek_type() != "LBRACE":
                return c_ast.UnaryOp(token.value, named[0], self._tok_coord(token))
            self._reset(named[1])
        return c_ast.UnaryOp(token.value, self._parse_unary_expression(), self._tok_coord(token))

    def _parse_primary_expression(self) -> c_ast.Node:
        """`__builtin_types_compatible_p` has two types as its arguments."""
        token = self._peek()
        if token is None or token.value != "__builtin_types_compatible_p":
            return super()._parse_primary_expression()
        name = self._parse_identifier()
        self._expect("LPAREN")
        left = self._parse_type_name()
        self._expect("COMMA")
        right = self._parse_type_name()
        self._expect("RPAREN")
        return c_ast.FuncCall(name, c_ast.ExprList([left, right], name.coord), name.coord)

    def _parse_initializer_item(self) -> c_ast.Node:
        """GNU's old `member: value`."""
        token = self._peek()
        if token is None or token.type not in ("ID", "TYPEID") or self._peek_type(2) != "COLON":
            return super()._parse_initializer_item()
        member = self._parse_identifier_or_typeid()
        self._advance()
        return c_ast.NamedInitializer([member], self._parse_initializer())

    def _parse_designation(self) -> list[c_ast.Node]:
        """GNU's old `[index] value` has no equals sign."""
        designators = self._parse_designator_list()
        if self._peek_type() == "EQUALS" or not isinstance(designators[-1], c_ast.ArrayDesignator):
            self._expect("EQUALS")
        return designators

    # --- inferred types and named constants of C23

    def _is_inferred_auto(self, spec: "_DeclSpec") -> bool:
        return INFERRING_AUTO in spec["storage"] and not spec["type"]

    def _parse_auto_declaration(self, spec: "_DeclSpec") -> list[c_ast.Node]:
        """`auto x = e` becomes `typeof(0, (e)) x = e`: the comma lets arrays decay, and takes qualifiers away."""
        declarator = self._parse_id_declarator()
        if not isinstance(declarator, c_ast.TypeDecl):
            self._parse_error("auto without a plain name", declarator.coord)
        self._expect("EQUALS")
        value = self._parse_assignment_expression()
        zero = c_ast.Constant("int", "0", value.coord)
        spec["type"] = [c_ast.TypeOf("typeof", c_ast.ExprList([zero, value], value.coord), value.coord)]
        return self._build_declarations(spec, [{"decl": declarator, "init": value}], typedef_namespace=True)

    def _with_plain_storage(self, spec: "_DeclSpec") -> None:
        """`auto` has its own spelling, and what is `constexpr` is const, at file scope static, too."""
        storage = ["auto" if word == INFERRING_AUTO else word for word in spec["storage"]]
        if any(word.endswith("constexpr") for word in storage):
            storage = [CONSTEXPR if word.endswith(CONSTEXPR) else word for word in storage]
            if len(self._scope_stack) == 1 and "static" not in storage:
                storage.append("static")
        spec["storage"] = storage

    # --- attributes

    def _at_attribute(self) -> bool:
        return isinstance(self._peek(), AttributeToken)

    def _attribute(self) -> Attribute:
        token = self._advance()
        assert isinstance(token, AttributeToken)
        origin, value = Origin(token.filename, token.lineno, token.column), None
        if token.valued:
            self._expect("LPAREN")
            value = self._parse_constant_expression()
            self._expect("RPAREN")
        return Attribute(token.name, origin, token.arguments, value)

    def _parse_attribute_specifier_sequence(self) -> list[Attribute]:
        """GNU's are allowed wherever pycparser's grammar has C23's."""
        found = []
        while self._at_attribute():
            found.append(self._attribute())
        return found

    def _parse_alignment_specifier(self) -> c_ast.Alignas:
        """Among specifiers an attribute is wrapped like the alignment that it may be."""
        return c_ast.Alignas(self._attribute()) if self._at_attribute() else super()._parse_alignment_specifier()

    def _scan_declarator_name_info(self) -> tuple[str | None, bool]:
        self._parse_attribute_specifier_sequence()
        return super()._scan_declarator_name_info()

    def _parse_declarator_kind(self, kind: str, allow_paren: bool) -> c_ast.Node:
        before = self._parse_attribute_specifier_sequence()
        declarator = super()._parse_declarator_kind(kind, allow_paren)
        _attributed(declarator).attributes += before + self._parse_attribute_specifier_sequence()
        return declarator

    def _parse_struct_declarator(self) -> "_DeclInfo":
        declared = super()._parse_struct_declarator()
        declarator = declared["decl"]
        assert declarator is not None
        _attributed(declarator).attributes += self._parse_attribute_specifier_sequence()
        return declared

    def _parse_struct_or_union_specifier(self) -> c_ast.Struct | c_ast.Union:
        node = super()._parse_struct_or_union_specifier()
        self._attach_to_type(node, node.decls is not None)
        return node

    def _parse_enum_specifier(self) -> c_ast.Enum:
        node = super()._parse_enum_specifier()
        self._attach_to_type(node, node.values is not None)
        return node

    def _parse_parameter_declaration(self) -> c_ast.Node:
        """Attributes in front are specifiers like the others."""
        return self._parse_parameter_declaration_body()

    def _parse_enumerator(self) -> c_ast.Enumerator:
        node = super()._parse_enumerator()
        for attribute in node.attributes:
            raise refused(attribute)
        return node

    def _attach_to_type(self, node: c_ast.Struct | c_ast.Union | c_ast.Enum, complete: bool) -> None:
        own, node.attributes = node.attributes, []
        if complete:
            closing = self._tokens._buffer[self._mark() - 1]
            if isinstance(closing, ClosingBrace):
                self.attributes.set_pack(node, closing.pack)
            own = own + self._parse_attribute_specifier_sequence()
        self.attributes.attach(node, own)

    # --- what the attributes belong to

    def _build_declarations(
        self, spec: "_DeclSpec", decls: list["_DeclInfo"], typedef_namespace: bool = False
    ) -> list[c_ast.Node]:
        common, spec["alignment"] = _split(spec["alignment"])
        self._with_plain_storage(spec)
        nodes = super()._build_declarations(spec, decls, typedef_namespace)
        for node in nodes:
            assert isinstance(node, c_ast.Decl | c_ast.Typedef)
            self.attributes.attach(node, [*common, *self._taken(node.type)])
            if CONSTEXPR in node.storage:
                if isinstance(node.type, c_ast.FuncDecl):
                    self._parse_error("constexpr function", node.coord)
                _make_const(node)
        return nodes

    def _build_type_name(self, spec: "_DeclSpec", decl: c_ast.Node | None, coord: Coord | None) -> c_ast.Typename:
        common, alignment = _split(spec["alignment"])
        node = super()._build_type_name({**spec, "alignment": []}, decl, coord)
        node.align = alignment
        self.attributes.attach(node, [*common, *self._taken(node.type)])
        return node

    def _parse_decl_body_with_spec(self, spec: "_DeclSpec", saw_type: bool) -> list[c_ast.Node]:
        """`struct s { ... };` without a declarator: attributes before `struct` have no object to belong to."""
        nodes = super()._parse_decl_body_with_spec(spec, saw_type)
        for node in nodes:
            if isinstance(node, c_ast.Decl) and node.name is None and isinstance(node.align, list):
                ignored, node.align = _split(node.align)
                self.attributes.attach(node, ignored)
        return nodes

    def _taken(self, declarator: c_ast.Node) -> list[Attribute]:
        """The attributes of all parts of a declarator, which lose them; behind `*` only noreturn has a meaning."""
        found: list[Attribute] = []
        part = declarator
        while isinstance(part, c_ast.TypeDecl | c_ast.PtrDecl | c_ast.ArrayDecl | c_ast.FuncDecl):
            own, part.attributes = list(part.attributes or ()), []
            if isinstance(part, c_ast.PtrDecl):
                for attribute in own:
                    if attribute.name != "noreturn":
                        raise refused(attribute)
            else:
                found += own
            part = part.type
        return found

    def _parse_block_item(self) -> c_ast.Node | list[c_ast.Node]:
        """Also `__label__ a, b;`, whose names are those of labels of the block."""
        self._refuse_statement_attribute()
        token = self._peek()
        if token is None or token.value != LOCAL_LABELS:
            return super()._parse_block_item()
        coord = self._tok_coord(self._advance())
        names = [self._expect("ID").value]
        while self._accept("COMMA"):
            names.append(self._expect("ID").value)
        self._expect("SEMI")
        return c_ast.Pragma(" ".join([LOCAL_LABELS, *names]), coord)

    def _parse_jump_statement(self) -> c_ast.Node:
        """Also `goto *pointer;`, as a call."""
        mark = self._mark()
        token = self._advance()
        if token.type != "GOTO" or self._accept("TIMES") is None:
            self._reset(mark)
            return super()._parse_jump_statement()
        coord = self._tok_coord(token)
        pointer = self._parse_expression()
        self._expect("SEMI")
        return c_ast.FuncCall(c_ast.ID(COMPUTED_GOTO, coord), c_ast.ExprList([pointer], coord), coord)

    def _parse_statement(self) -> c_ast.Node:
        self._refuse_statement_attribute()
        return super()._parse_statement()

    def _refuse_statement_attribute(self) -> None:
        """Raises Unsupported for an attribute of a statement: those that stand before declarations are specifiers."""
        if not self._at_attribute():
            return
        mark = self._mark()
        first = self._parse_attribute_specifier_sequence()[0]
        if not self._starts_declaration():
            raise refused(first)
        self._reset(mark)


def _make_const(node: c_ast.Decl | c_ast.Typedef) -> None:
    """Adds const to the qualifiers of the object, or of the elements of an array."""
    part = node.type
    while isinstance(part, c_ast.ArrayDecl):
        part = part.type
    assert isinstance(part, c_ast.TypeDecl | c_ast.PtrDecl)
    part.quals = [*(part.quals or ()), "const"]


def _attributed(declarator: c_ast.Node) -> c_ast.TypeDecl:
    """The part of a declarator that has its attributes, with a list of them."""
    part = named_declarator(declarator)
    if part.attributes is None:
        part.attributes = []
    return part


def _split(alignment: Iterable[c_ast.Alignas]) -> tuple[list[Attribute], list[c_ast.Alignas]]:
    """Attributes, and _Alignas specifiers."""
    parts = list(alignment)
    attributes = [part.alignment for part in parts if isinstance(part.alignment, Attribute)]
    return attributes, [part for part in parts if not isinstance(part.alignment, Attribute)]
