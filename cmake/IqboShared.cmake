# libiqbo.so: all rooms in one shared library. A wheel has it, because there the program and the Python module share it, and because
# the dynamic linker can then choose between copies for different processors.
get_property(rooms GLOBAL PROPERTY iqbo_archives)
list(TRANSFORM rooms REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>")
add_library(iqbo_shared SHARED ${rooms})
# -Bsymbolic-functions: a template that a program has compiled too, for the baseline, must not replace ours.
# RPATH, not RUNPATH: it also holds for libraries of libraries.
set_target_properties(iqbo_shared PROPERTIES OUTPUT_NAME iqbo LINKER_LANGUAGE CXX BUILD_WITH_INSTALL_RPATH ON
                                             INSTALL_RPATH "$ORIGIN:$ORIGIN/../..")
target_link_options(iqbo_shared PRIVATE -Wl,-Bsymbolic-functions -Wl,--disable-new-dtags -Wl,--strip-all)
target_link_libraries(iqbo_shared PRIVATE iqbo) # for the libraries that the rooms need; no symbol of their archives is missing

# The order matters: what libiqbo.so defines is not taken from the archives of the rooms.
set(IQBO_LIBRARY iqbo_shared iqbo::iqbo)
