import { Component, type ComponentChildren } from 'preact'
import { Failed } from './Notes.tsx'

interface Props {
  readonly what: string
  readonly children: ComponentChildren
}

/** A part of a page that fails alone: what it cannot show takes nothing else with it. */
export class Guard extends Component<Props, { readonly error?: Error }> {
  static override getDerivedStateFromError(error: Error): { readonly error: Error } {
    return { error }
  }

  override render() {
    const { error } = this.state
    return error ? <Failed error={error} what={this.props.what} /> : this.props.children
  }
}
