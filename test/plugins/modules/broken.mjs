throw new SyntaxError('broken on purpose')
