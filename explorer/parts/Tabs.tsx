/** Links between the parts of a page. */
export function Tabs({
  label,
  current,
  tabs,
}: {
  label: string
  current: string
  tabs: readonly { readonly name: string; readonly title: string; readonly route: string }[]
}) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ name, title, route }) => (
        <a key={name} href={`#/${route}`} aria-current={name === current ? 'page' : undefined}>
          {title}
        </a>
      ))}
    </nav>
  )
}
