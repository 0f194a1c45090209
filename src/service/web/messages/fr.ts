import type { Messages } from '../words.ts';

export const FR: Messages = {
  language: 'Langue',
  operator: 'Exploitant de ce service : {name}',
  points: { one: '{n} point', other: '{n} points' },
  reports: { one: '{n} signalement', other: '{n} signalements' },
  organisations: { one: '{n} organisation', other: '{n} organisations' },
  otherOrganisations: { one: '{n} autre organisation', other: '{n} autres organisations' },
  utc: 'Les jours et les heures sont en UTC (temps universel).',

  'record.title': 'Relevé public des signalements',
  'record.times': 'Situation au {now}. Dernière modification : {changed}.',
  'record.aboutMe': 'Il s’agit de moi : que puis-je faire ?',
  'record.summary': {
    one: '{n} signalement, de {organisations}, correspond à une recherche ({kinds}).',
    other: '{n} signalements, de {organisations}, correspondent à une recherche ({kinds}).',
  },
  'record.meaning': {
    one: 'Plus il y a de points, plus le risque est élevé. La fiabilité indique à quel point il est probable que le signalement soit exact et concerne cette personne.',
    other:
      'Plus il y a de points, plus le risque est élevé. La fiabilité indique à quel point il est probable que les signalements soient exacts et concernent la même personne.',
  },
  'record.foundWrong': {
    one: '{n} signalement a été jugé faux et ne compte pas.',
    other: '{n} signalements ont été jugés faux et ne comptent pas.',
  },
  'record.points': 'D’où viennent les {points}',
  'record.calculation': 'Tout le calcul en toutes lettres',
  'record.guide': 'Comment se forment les points, avec un exemple (en anglais)',
  'record.unexplained': 'Les signalements qui correspondent sont si nombreux que cette page n’explique pas le score.',
  'record.history': 'Dans le temps',
  'record.reports': { one: 'Le signalement', other: 'Les signalements' },
  'record.severity': 'gravité {severity} sur 10',
  'record.disputed': 'contesté, compte pour moitié',
  'record.by': '{reporter}, {time}. Signalement {id}.',
  'record.disputeReport': 'Ce signalement est faux',
  'record.original': 'Les textes sont tels que les organisations les ont écrits.',
  'record.order':
    'Le signalement le plus fort de chaque organisation vient d’abord, dans l’ordre des barres ci-dessus.',
  'record.orderOthers': 'Les autres n’ajoutent rien et suivent, du plus récent au plus ancien.',
  'record.leftOut': '{shown} signalements sur {all} sont affichés. Ne sont pas affichés : {list}.',
  'record.leftOutOf': '{number} de {reporter}',
  'record.allAsJson': 'Tous les signalements en JSON',
  'record.someAsJson': '{number} signalements en JSON',
  'record.about': 'S’il s’agit de vous',
  'record.deletion':
    'L’organisation qui a fait un signalement peut le supprimer à tout moment. Si elle vous a donné un code de suppression, envoyez-lui ce code et demandez la suppression.',
  'record.wrong': 'Si un signalement est faux, {ask}.',
  'record.ask': 'demandez à l’exploitant de l’examiner',
  'record.tell': 'Si un signalement est faux, dites-le à l’organisation ou à l’exploitant de ce service.',
  'record.open':
    'Pendant que l’exploitant examine un signalement, celui-ci compte pour moitié. Un signalement jugé faux ne compte pas et n’est pas affiché.',
  'record.fades':
    'Le score baisse avec le temps. Chaque boutique décide elle-même de ce qu’elle fait d’une commande, et voit le nouveau score quand elle le redemande.',
  'record.contacts': { one: 'Comment joindre l’organisation', other: 'Comment joindre les organisations' },
  'record.noContact':
    'D’autres organisations n’ont pas donné de contact. Adressez-vous alors à l’exploitant de ce service.',
  'record.hashes':
    'Cette page ne montre ni adresse e-mail, ni numéro de téléphone, ni autre identifiant de la personne signalée : le service n’en conserve que des empreintes. Toute personne qui connaît l’adresse de cette page peut la lire.',

  'calculation.nothing': 'Aucun signalement ne correspond.',
  'calculation.numbers':
    '{points} ({exactPoints} avant arrondi), {reports} de {organisations}, fiabilité {reliability} ({exactReliability}), selon {model}.',
  'calculation.matches':
    'Ce qui correspond : {list}. De telles correspondances donnent au plus {most} points, quel que soit le nombre de signalements.',
  'calculation.identifier': '{kind} (poids {weight})',
  'calculation.slowIdentifier':
    '{kind} (poids {weight}, perd sa force {times} fois plus lentement, parce que beaucoup d’organisations vérifiées l’ont signalé)',
  'calculation.voice':
    '{organisation} ({standing}, a raison avec une probabilité de {precision}) a signalé : {what}. {about} {adds}',
  'calculation.verified': 'organisation vérifiée',
  'calculation.established': 'organisation éprouvée',
  'calculation.notEstablished': 'organisation pas encore éprouvée',
  'calculation.severity': 'gravité {severity}',
  'calculation.today': 'aujourd’hui',
  'calculation.daysAgo': { one: 'il y a {n} jour', other: 'il y a {n} jours' },
  'calculation.typeWeight': 'poids de ce type d’incident {weight}',
  'calculation.disputed': 'contesté',
  'calculation.about': 'La probabilité que le signalement concerne cette personne est de {link} ({list}).',
  'calculation.aboutOnly': 'La probabilité que le signalement concerne cette personne est de {link}.',
  'calculation.faded': '{kind}, affaibli à {decay} avec le temps',
  'calculation.adds': 'Il ajoute {points} points, et {reliability} à la fiabilité.',
  'calculation.addsInPart':
    'Il ajoute {points} points (avec {share} de sa force, parce que des voix plus fortes ne sont pas vérifiées non plus), et {reliability} à la fiabilité.',
  'calculation.further': {
    one: '{n} autre signalement ({organisation}) sur la même personne compte avec ce signalement comme une seule voix.',
    other:
      '{n} autres signalements ({organisation}) sur la même personne comptent avec ce signalement comme une seule voix.',
  },
  'calculation.oneVerified':
    'Une seule organisation vérifiée peut ajouter au plus {most} points. Une deuxième lève cette limite.',
  'calculation.secondVerified':
    'La voix la plus forte peut ajouter au plus {most} points, parce qu’une deuxième organisation vérifiée est en partie d’accord.',
  'calculation.notVerified':
    'Les organisations que l’exploitant n’a pas vérifiées peuvent ajouter ensemble au plus {points} points, et {reliability} à la fiabilité.',
  'calculation.notVerifiedYet':
    'Les organisations que l’exploitant n’a pas vérifiées peuvent ajouter ensemble au plus {points} points, et {reliability} à la fiabilité avant sa correction.',
  'calculation.together': 'Toutes ces organisations ensemble peuvent atteindre au plus {most} points.',
  'calculation.map':
    'Ensemble, les voix donnent une fiabilité de {before}. Corrigée d’après les résultats passés, elle est de {after}.',
  'calculation.unknown':
    'On ne sait pas combien de fois de telles réponses sont justes : aucune comparaison avec des résultats passés ne le dit.',
  'calculation.interval': 'En moyenne, de {low} à {high} % de ces réponses sont justes.',
  'calculation.mapBound':
    'La correction ne porte pas les organisations que l’exploitant n’a pas vérifiées au-dessus de leur limite : la réponse est donc {reliability}.',
  'calculation.allowed': 'Un identifiant ({list}) est sur la liste des exceptions et n’a pas été pris en compte.',
  'calculation.foundWrong': {
    one: '{n} signalement n’a pas été pris en compte, parce que l’exploitant l’a jugé faux.',
    other: '{n} signalements n’ont pas été pris en compte, parce que l’exploitant les a jugés faux.',
  },
  'calculation.lessThan': 'moins de {least}',

  'figures.points': 'Points',
  'figures.reliability': 'Fiabilité',
  'figures.reports': 'Signalements',
  'figures.organisations': 'Organisations',
  'figures.of': 'sur {most}',
  'figures.ofPoints': '{points} points sur 100',
  'figures.ofReliability': 'Fiabilité {reliability} sur 10',

  'voices.added': 'compte',
  'voices.disputed': 'contesté',
  'voices.faded': 'perdu avec le temps',
  'voices.fullWidth': 'toute la largeur : {most} points',
  'voices.small': 'moins de 1 point',
  'voices.together': 'Ensemble',
  'voices.half':
    'Un signalement contesté compte pour moitié : on considère qu’il a deux fois moins de chances d’être exact. Ses points peuvent baisser de plus ou de moins de la moitié, car tous les signalements ensemble donnent au plus 100 points. Pendant ce temps, les points d’autres signalements peuvent monter, sans nouveau signalement.',
  'voices.others': 'Chacune a une petite part.',
  'voices.whole': '{reports}.',
  'voices.less': '{reports} : {points}, moins {lost}.',
  'voices.lostToDispute': '{lost} pour une contestation en cours',
  'voices.lostToAge': '{lost} à cause du temps écoulé',

  'history.oldest': 'Le plus ancien signalement qui compte date du {day}.',
  'history.neverHigher': 'Le score n’a jamais été plus élevé que maintenant.',
  'history.highest': 'Le score le plus élevé, {points}, date du {day}. Il est maintenant de {now}.',
  'history.picture': 'Dates des signalements, et points dans le temps',
  'history.now': 'maintenant',
  'history.computed':
    'Calculé à partir des signalements qui comptent aujourd’hui, avec ce que l’on sait aujourd’hui des organisations.',
  'history.hollow': 'Un point creux est un signalement contesté en ce moment.',
  'history.table': 'Points dans le temps',
  'history.day': 'Jour',
  'history.bySeverity': 'Signalements, par gravité',
  'history.newestBySeverity': 'Signalements les plus récents, par gravité',
  'history.numbers': 'Les chiffres',

  'kind.email': 'adresse e-mail',
  'kind.phone': 'numéro de téléphone',
  'kind.name': 'nom',
  'kind.ip': 'adresse IP',
  'kind.domain': 'domaine',
  'kind.other': 'autres données',
  'data.card': 'numéro de carte',
  'data.iban': 'IBAN',

  'type.chargeback': 'rétrofacturation',
  'type.fraud': 'fraude',
  'type.phishing': 'hameçonnage',
  'type.spam': 'spam',
  'type.scam': 'arnaque',
  'type.abuse': 'abus',
  'type.hacking': 'piratage',
  'type.malware': 'logiciel malveillant',
  'type.copyright': 'droit d’auteur',
  'type.identity_theft': 'usurpation d’identité',
  'type.stolen_card': 'carte volée',
  'type.nonpayment': 'impayé',
  'type.refund_abuse': 'abus de remboursement',
  'type.account_takeover': 'prise de contrôle d’un compte',
  'type.disposable': 'adresse jetable',
  'type.other': 'autre',

  'refused.unavailable': 'Indisponible pour le moment',
  'refused.limited': 'Trop de demandes sont venues de votre connexion. Réessayez dans {wait}.',
  'refused.noReports': 'Aucun signalement',
  'refused.nothing':
    'Il n’y a pas de signalement derrière ce lien. Ses signalements ont été supprimés, ou il n’y en a jamais eu.',
  'refused.incomplete': 'Si vous avez copié le lien à la main, vérifiez qu’il est complet.',
  'refused.start': 'Aller à la page d’accueil',
  'wait.seconds': { one: '{n} seconde', other: '{n} secondes' },
  'wait.minutes': { one: '{n} minute', other: '{n} minutes' },
  'wait.hours': { one: '{n} heure', other: '{n} heures' },

  'dispute.title': 'Contester un signalement qui vous concerne',
  'dispute.back': 'Retour au relevé',
  'dispute.what': 'Demandez à l’exploitant de ce service d’examiner le signalement.',
  'dispute.tellsNothing': 'Cette page ne dit pas s’il existe des signalements à votre sujet.',
  'dispute.happens': 'Ce que devient votre demande',
  'dispute.hash':
    'Votre navigateur calcule une empreinte de 40 caractères de votre adresse e-mail ou d’autres données. Seules l’empreinte et vos explications sont envoyées.',
  'dispute.readers':
    'Si des signalements ont la même empreinte, l’exploitant et les organisations qui les ont faits peuvent lire vos explications.',
  'dispute.decides': 'L’exploitant décide s’il ouvre une contestation. D’ici là, aucun score ne change.',
  'dispute.case':
    'Votre demande reçoit un numéro de dossier. Avec lui, vous verrez plus tard ce qu’est devenue votre demande, et vous pourrez écrire à l’exploitant. Vous pouvez envoyer d’autres demandes ; leur nombre est limité.',
  'dispute.noScript':
    'Ce formulaire a besoin de JavaScript, car votre navigateur calcule l’empreinte. Sans JavaScript, adressez-vous à l’organisation qui a fait le signalement, ou à l’exploitant de ce service.',
  'dispute.kind': 'Type de données',
  'dispute.kindEmail': 'Adresse e-mail',
  'dispute.kindPhone': 'Numéro de téléphone',
  'dispute.kindName': 'Nom',
  'dispute.kindIp': 'Adresse IP',
  'dispute.kindDomain': 'Domaine d’un site web',
  'dispute.kindOther': 'Autre chose',
  'dispute.otherKind': 'Comment cela s’appelle-t-il ?',
  'dispute.otherKindHint': 'Un mot en anglais, par exemple passport.',
  'dispute.value': 'Valeur',
  'dispute.valueHint': 'Écrivez-la comme dans votre commande. Elle reste dans votre navigateur.',
  'dispute.phoneHint':
    'Avec l’indicatif du pays, par exemple +33 6 12 34 56 78. Le numéro reste dans votre navigateur.',
  'dispute.reason': 'Pourquoi le signalement est-il faux ?',
  'dispute.reasonHint': 'Au plus {most} caractères, sans adresse e-mail, numéro de téléphone ni numéro de compte.',
  'dispute.choose': 'Quels signalements sont faux ? (facultatif)',
  'dispute.chooseHint':
    'Au plus {most}. Si vous n’en choisissez aucun, votre demande porte sur le signalement le plus récent de chaque organisation.',
  'dispute.tooManyChosen': 'Choisissez au plus {most} signalements.',
  'dispute.which': 'Un autre signalement (facultatif)',
  'dispute.whichOne': 'Quel signalement est faux ? (facultatif)',
  'dispute.whichHint': 'Le numéro du signalement, ou le nom de l’organisation qui l’a fait.',
  'dispute.answer':
    'Vous lirez la réponse sur ce site, avec un numéro de dossier. Personne ne vous appellera ni ne vous écrira.',
  'dispute.send': 'Envoyer la demande',
  'dispute.received': 'Votre demande a bien été reçue',
  'dispute.receivedWhat':
    'L’exploitant examine votre demande si un signalement correspond à vos données. Si {most} demandes sur les mêmes données sont déjà en attente, ou si les demandes en attente sont très nombreuses, la vôtre n’est pas conservée. Pour protéger les données d’autrui, vous voyez ce texte dans tous les cas, même si aucun signalement ne correspond.',
  'dispute.stores': 'Cette page n’enregistre rien dans votre navigateur.',
  'dispute.noAnswer': 'Le service n’a pas répondu. Réessayez plus tard.',
  'dispute.badKind': 'Utilisez des lettres sans accents, des chiffres et des traits d’union.',
  'dispute.badReason': 'Écrivez une explication de 1 à {most} caractères.',
  'dispute.tooLong': { one: 'Elle compte {n} caractère.', other: 'Elle compte {n} caractères.' },
  'dispute.badCharacter': 'Le caractère numéro {at} n’est pas permis.',
  'dispute.personal': 'Retirez les données personnelles de votre texte. Il semble y avoir : {kinds}.',
  'dispute.noIdentifier':
    'Cette valeur n’est pas un identifiant : {why}. Corrigez-la, ou envoyez-la encore une fois telle quelle.',
  'dispute.noCountry':
    'Ce numéro n’a pas d’indicatif de pays, par exemple +33. Ajoutez-le, ou envoyez le numéro encore une fois tel quel.',
  'noIdentifier.placeholder': 'elle ne désigne aucune valeur',
  'noIdentifier.destroyed': 'un programme l’a abîmée',
  'noIdentifier.nobody': 'elle ne désigne personne',
  'noIdentifier.hash': 'c’est déjà une empreinte (hash)',
  'dispute.noValue': 'Saisissez l’adresse e-mail, le numéro ou les autres données que le signalement peut concerner.',
  'dispute.refused':
    'Le service refuse cette demande. Retirez les noms, les adresses et les numéros de vos explications.',
  'dispute.notNow': 'Le service ne peut pas accepter votre demande pour le moment. Réessayez plus tard.',
  'dispute.number': 'Votre numéro de dossier',
  'dispute.copy': 'Copier',
  'dispute.copied': 'Copié',
  'dispute.writeDown':
    'Notez-le et gardez-le secret : il n’est affiché que maintenant, et personne ne peut le retrouver pour vous.',
  'dispute.asked': 'Votre demande concerne :',
  'dispute.spelling':
    'Si vous avez fait une faute de frappe, ou si vous avez écrit vos données autrement dans votre commande, envoyez une autre demande avec la bonne orthographe.',
  'dispute.another': 'Envoyer une autre demande',
  'dispute.haveNumber': 'Avez-vous un numéro de dossier ?',
  'case.title': 'Votre dossier',
  'case.what':
    'Après une demande au sujet d’un signalement, vous avez reçu un numéro de dossier. Avec lui, vous voyez ce qu’est devenue la demande.',
  'case.number': 'Numéro de dossier',
  'case.numberHint': '20 lettres et chiffres. Les majuscules, les espaces et les tirets ne changent rien.',
  'case.show': 'Afficher le dossier',
  'case.unknown': 'Ce numéro de dossier n’existe pas. Vérifiez chaque caractère.',
  'case.received': 'Votre demande a été reçue le {day}.',
  'case.waits':
    'L’exploitant l’examine si un signalement correspond à vos données. Jusque-là, cette page a le même texte dans tous les cas, même si aucun signalement ne correspond.',
  'case.open': 'L’exploitant examine ce signalement depuis le {day}.',
  'case.openEffect': 'Il compte pour moitié jusqu’à la décision.',
  'case.upheld': 'L’exploitant a décidé le {day} que ce signalement était faux.',
  'case.upheldEffect': 'Il ne compte plus.',
  'case.rejected': 'L’exploitant a décidé le {day} que ce signalement était exact.',
  'case.rejectedEffect': 'Il compte comme avant.',
  'case.refused': 'L’exploitant a répondu le {day} et a décidé de ne pas examiner ce signalement.',
  'case.deleted': 'Un signalement supprimé depuis',
  'case.messages': 'Messages',
  'case.fromYou': 'Vous',
  'case.fromOperator': 'Exploitant',
  'case.write': 'Écrire à l’exploitant',
  'case.about': 'De quel signalement s’agit-il ?',
  'case.whole': 'Tout le dossier',
  'case.isAbout': 'Objet : {report}',
  'case.text': 'Votre message',
  'case.textHint': 'Jusqu’à {most} caractères, sans adresses e-mail, numéros de téléphone ou numéros de compte.',
  'case.send': 'Envoyer le message',
  'case.sent':
    'Votre message a été reçu le {time}. Si un signalement correspond et si le dossier est ouvert, l’exploitant en lit {most} au plus :',
  'case.shownAgain':
    'Gardez-en une copie : tant que l’exploitant n’a rien fait, cette page a le même texte dans tous les cas et ne montre pas vos messages.',
  'case.full': 'Votre message n’a pas été conservé, car le dossier contient déjà {most} messages de vous :',
  'case.closed':
    'L’exploitant a décidé : le résultat est ci-dessus, et rien d’autre ne suit. Ce dossier n’accepte plus de messages. S’il y a du nouveau, envoyez une nouvelle demande.',
  'case.badText': 'Écrivez un message de 1 à {most} caractères.',
  'case.personal': 'Retirez les données personnelles de votre message. Il semble contenir : {kinds}.',
  'case.again': 'Un autre numéro de dossier',
  'case.kept': 'Un dossier est conservé pendant {days} jours après la dernière décision ou réponse.',
};
