// libxml2 built with ICU declares UErrorCode in a way that clashes with Foundation's own ICU; SAX needs none of it.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>
