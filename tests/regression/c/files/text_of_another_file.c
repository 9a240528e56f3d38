const char *text_of_another_file = "abc";
