import type { TreeNode } from "../logic/diff";

/** The files of a change as a tree; each leads to its place in the diff. */
export function Tree({ nodes, anchor }: { nodes: readonly TreeNode[]; anchor: (index: number) => string }) {
  return (
    <nav className="diff-tree" aria-label="Files">
      <Branch nodes={nodes} anchor={anchor} />
    </nav>
  );
}

function Branch({ nodes, anchor }: { nodes: readonly TreeNode[]; anchor: (index: number) => string }) {
  return (
    <ul>
      {nodes.map((node) => (
        <li key={`${node.path} ${node.index}`}>
          {node.index === null ? (
            <>
              <span className="soft">{node.name}/</span>
              <Branch nodes={node.children} anchor={anchor} />
            </>
          ) : (
            <button type="button" className="button link small" onClick={() => go(anchor(node.index ?? 0))}>
              {node.name}
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The file is opened, shown, and gets the focus, so that the keys go on from there. */
function go(id: string) {
  const file = document.getElementById(id);
  if (!(file instanceof HTMLDetailsElement)) return;
  file.open = true;
  file.scrollIntoView({ block: "start" });
  file.querySelector("summary")?.focus({ preventScroll: true });
}
