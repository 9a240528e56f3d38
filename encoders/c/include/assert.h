#include "replaced/assert.h"
