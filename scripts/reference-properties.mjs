// Plugin of typedoc: requires a comment on each property of a named type. The setting `requiredToBeDocumented` would
// also require one on each property of an anonymous type, e.g. `ok` in `{ ok: true }`.
import { Application, ReflectionKind } from 'typedoc';

export function load(app) {
  app.on(Application.EVENT_VALIDATE_PROJECT, (project) => {
    for (const property of project.getReflectionsByKind(ReflectionKind.Property)) {
      if (property.parent?.kindOf(ReflectionKind.TypeLiteral) || property.hasComment()) continue;
      const name = property.getFriendlyFullName();
      // Properties of types of other packages, e.g. `stack` of Error, are documented there.
      if (project.getSymbolIdFromReflection(property)?.packageName !== project.packageName) continue;
      app.logger.validationWarning(`${name} (Property) does not have any documentation`);
    }
  });
}
