#include "replaced/ctype.h"
