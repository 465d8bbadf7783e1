// A plane to click points into, and a rectangle whose sides can be dragged or moved by arrow keys.
const SIZE = [600, 420], PAD = [34, 26], EDGE = 8, NS = 'http://www.w3.org/2000/svg';
const WAY = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowDown: [1, -1], ArrowUp: [1, 1]};

export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector('.plane-board'), edges = data.edges, ends = data.ends;
  const span = edges.map(([low, high]) => high - low);
  const wide = SIZE[0] - PAD[0] - EDGE, high = SIZE[1] - PAD[1] - EDGE;
  const x = (v) => PAD[0] + ((v - edges[0][0]) / span[0]) * wide;
  const y = (v) => EDGE + (1 - (v - edges[1][0]) / span[1]) * high;
  const make = (name, attributes, parent, text) => {
    const made = document.createElementNS(NS, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    parent.appendChild(made);
    return made;
  };
  const rounded = (value, axis) => {
    const step = data.steps[axis];
    return Number((Math.round(value / step) * step).toFixed(6));
  };
  const place = (svg, event) => {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    const shares = [(at.x - PAD[0]) / wide, 1 - (at.y - EDGE) / high];
    return shares.map((share, axis) =>
      rounded(edges[axis][0] + Math.min(Math.max(share, 0), 1) * span[axis], axis));
  };
  const value = (end) => ends[end] ?? edges[end >> 1][end & 1];
  const moved = (end, to) => {
    const axis = end >> 1, [low, top] = edges[axis], step = data.steps[axis];
    const other = value(end ^ 1), upper = end & 1;
    const kept = upper ? Math.max(to, other + step) : Math.min(to, other - step);
    ends[end] = upper ? (kept >= top ? null : kept) : (kept <= low ? null : kept);
  };

  function draw(focus) {
    root.replaceChildren();
    const svg = make('svg', {viewBox: `0 0 ${SIZE[0]} ${SIZE[1]}`}, root);
    const ground = make('rect', {class: 'ground', x: PAD[0], y: EDGE, width: wide, height: high}, svg);
    for (const axis of [0, 1]) {
      for (const tick of data.ticks[axis]) {
        const at = axis ? {x: PAD[0] - 6, y: y(tick) + 4, 'text-anchor': 'end'}
          : {x: x(tick), y: SIZE[1] - 8, 'text-anchor': 'middle'};
        make('text', at, svg, tick.toLocaleString('en'));
      }
    }
    for (const [across, up, colour, round] of data.points) {
      if (round) make('circle', {cx: x(across), cy: y(up), r: 4.5, fill: colour}, svg);
      else make('rect', {x: x(across) - 4, y: y(up) - 4, width: 8, height: 8, fill: colour}, svg);
    }
    if (!ends) {
      ground.addEventListener('click', (event) => setTriggerValue('place', place(svg, event)));
      return;
    }
    const [left, right, bottom, top] = [0, 1, 2, 3].map(value);
    make('rect', {class: 'rule', x: x(left), y: y(top), width: x(right) - x(left),
      height: y(bottom) - y(top), stroke: data.colour}, svg);
    const middle = [(x(left) + x(right)) / 2, (y(bottom) + y(top)) / 2];
    for (const end of [0, 1, 2, 3]) {
      const at = end < 2 ? [x(value(end)), middle[1]] : [middle[0], y(value(end))];
      const handle = make('circle', {class: 'handle', cx: at[0], cy: at[1], r: 8, tabindex: 0,
        role: 'slider', 'aria-label': data.names[end], 'aria-valuenow': value(end),
        'aria-valuemin': edges[end >> 1][0], 'aria-valuemax': edges[end >> 1][1],
        'aria-valuetext': ends[end] === null ? 'open' : String(ends[end])}, svg);
      if (end === focus) handle.focus();
      handle.addEventListener('keydown', (event) => {
        const [axis, way] = WAY[event.key] ?? [];
        if (axis !== end >> 1) return;
        event.preventDefault();
        event.stopPropagation();
        moved(end, rounded(value(end) + way * data.steps[axis], axis));
        root.focused = end;
        draw(end);
        setTriggerValue('ends', ends);
      });
      handle.addEventListener('pointerdown', (event) => {
        event.preventDefault();
        const drag = (to) => { moved(end, place(root.firstChild, to)[end >> 1]); draw(end); };
        const drop = () => {
          window.removeEventListener('pointermove', drag);
          window.removeEventListener('pointerup', drop);
          window.removeEventListener('pointercancel', drop);
          root.focused = end;
          setTriggerValue('ends', ends);
        };
        window.addEventListener('pointermove', drag);
        window.addEventListener('pointerup', drop);
        window.addEventListener('pointercancel', drop);
      });
    }
  }
  draw(root.contains(document.activeElement) ? root.focused : undefined);
  root.setAttribute('aria-label', data.alt);
}
