// `npm start`: the standalone product, `dyno start`, from a checkout.
process.argv.splice(2, 0, 'start');
await import('./dyno.mjs');
