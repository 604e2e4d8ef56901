import { useState } from 'preact/hooks'
import { login } from '../data/rpc.ts'
import { Card } from '../parts/Card.tsx'

/** Asks for name and password where the node wants them. */
export function LoginPage({ onLogin }: { onLogin: () => void }) {
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState('')
  async function submit(event: Event): Promise<void> {
    event.preventDefault()
    try {
      await login(name, password)
      onLogin()
    } catch (error) {
      setProblem((error as Error).message)
    }
  }
  return (
    <main class="page login">
      <h1>Quoin</h1>
      <Card title="Log in">
        <form onSubmit={submit}>
          <label class="field">
            Name
            <input autocomplete="username" value={name} onInput={(event) => setName(event.currentTarget.value)} />
          </label>
          <label class="field">
            Password
            <input
              type="password"
              autocomplete="current-password"
              value={password}
              onInput={(event) => setPassword(event.currentTarget.value)}
            />
          </label>
          <button type="submit" class="button">
            Log in
          </button>
          <p class="outcome" role="status">
            {problem}
          </p>
        </form>
      </Card>
    </main>
  )
}
