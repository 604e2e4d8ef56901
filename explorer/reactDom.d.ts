/** The one function that is used; the package brings no types. */
declare module 'react-dom/client' {
  export function createRoot(place: Element): { render(node: unknown): void }
}
