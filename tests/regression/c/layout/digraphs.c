// chcverify: --engine spacer --timeout 30
// Digraphs are brackets and braces.
extern void reach_error(void);
int main(void) <%
  int a<:2:> = <% 1, 2 %>;
  if (a<:1:> != 2)
    reach_error();
  return 0;
%>
