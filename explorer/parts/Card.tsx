import type { ComponentChildren } from 'preact'
import { Guard } from './Guard.tsx'

/** A part of a page with its heading. */
export function Card({
  title,
  side,
  children,
  class: name = '',
}: {
  title: string
  side?: ComponentChildren
  children: ComponentChildren
  class?: string
}) {
  const id = `card-${title.toLowerCase().replace(/\W+/g, '-')}`
  return (
    <section class={`card ${name}`} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {side}
      </header>
      <Guard what={title}>{children}</Guard>
    </section>
  )
}

/** A list of names with values. */
export function Facts({ children }: { children: ComponentChildren }) {
  return <dl class="facts">{children}</dl>
}

/** One name with its value. */
export function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
