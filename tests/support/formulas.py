"""Hand-made formulas: two and two, drawn with four strokes, as the paper's Figure 1 has them."""

MATH = 'xmlns="http://www.w3.org/1998/Math/MathML"'
LAYOUT = '<mrow><mn xml:id="2_1">2</mn><mrow><mo xml:id="+_1">+</mo><mn xml:id="2_2">2</mn></mrow></mrow>'
SYMBOLS = (("2_1", "2", "s1"), ("+_1", "+", "s2 s3"), ("2_2", "2", "s4"))


def inkml(math=LAYOUT, symbols=SYMBOLS, strokes="s1 s2 s3 s4", more=""):
    """A file as CROHME writes it; each symbol is (id, label, strokes)."""
    traces = "".join(
        f'<trace id="{name}">\n0 {place}, 1 {place}\n</trace>\n'
        for place, name in enumerate(strokes.split())
    )
    groups = "".join(
        f"<traceGroup><annotation type='truth'>{label}</annotation>"
        + "".join(f'<traceView traceDataRef="{stroke}"/>' for stroke in own.split())
        + (f'<annotationXML href="{name}"/>' if name else "")
        + "</traceGroup>\n"
        for name, label, own in symbols
    )
    return (
        f'<ink xmlns="http://www.w3.org/2003/InkML">\n<annotation type="UI">four strokes</annotation>\n'
        f'<annotationXML type="truth" encoding="Content-MathML"><math {MATH}>\n{math}\n</math></annotationXML>\n'
        f"{traces}<traceGroup><annotation type='truth'>Segmentation</annotation>\n{groups}</traceGroup>{more}</ink>\n"
    )
