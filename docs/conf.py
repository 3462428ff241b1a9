# The documentation site. tools/site.py puts these pages and a generated reference together; ./dev docs builds them.
import os

project = "iqbo"
copyright = "the iqbo authors"
release = version = os.environ.get("IQBO_VERSION", "")

extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
root_doc = "index"
myst_heading_anchors = 4

html_theme = "furo"
html_title = f"iqbo {release}".strip()
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
# Debian's furo has no colours of its own for dark screens.
html_theme_options = {
    "dark_css_variables": {
        "color-foreground-primary": "#d6dae0",
        "color-foreground-secondary": "#a2a9b3",
        "color-foreground-muted": "#8b929c",
        "color-foreground-border": "#5b626c",
        "color-background-primary": "#15181c",
        "color-background-secondary": "#1b1f24",
        "color-background-hover": "#262b32",
        "color-background-hover--transparent": "#262b3200",
        "color-background-border": "#2f353d",
        "color-background-item": "#3a414a",
        "color-brand-primary": "#6fb1ff",
        "color-brand-content": "#6fb1ff",
        "color-inline-code-background": "#22272e",
        "color-highlight-on-target": "#3a3410",
    }
}
