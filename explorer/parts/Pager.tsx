/** Links to the newer and the older page; a page that is not there is undefined. */
export function Pager({
  newer,
  older,
  label,
  words: [back, on] = ['← Newer', 'Older →'],
}: {
  newer: string | undefined
  older: string | undefined
  label: string
  words?: readonly [back: string, on: string]
}) {
  const link = (route: string | undefined, text: string) =>
    route === undefined ? (
      <span class="button" aria-disabled="true">
        {text}
      </span>
    ) : (
      <a class="button" href={`#/${route}`}>
        {text}
      </a>
    )
  return (
    <nav class="pager" aria-label={label}>
      {link(newer, back)}
      {link(older, on)}
    </nav>
  )
}
