// ESC_API marks what the shared library shows; everything else is hidden.
#pragma once

#if defined(_WIN32)
#define ESC_API
#else
#define ESC_API __attribute__((visibility("default")))
#endif
